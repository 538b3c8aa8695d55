/** Settings of the cluster. docs/failover.md shows the same, and a test compares them. */
export const PATRONI_SETTINGS = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  maximum_lag_on_failover: 1_048_576,
  synchronous_mode: true,
  synchronous_mode_strict: false,
  primary_start_timeout: 0,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      synchronous_commit: 'on',
      wal_log_hints: 'on',
      max_connections: 100,
    },
  },
};

/** The part of haproxy.cfg that decides who is asked. */
export const HAPROXY_SETTINGS = `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
  option clitcpka
  option srvtcpka

listen postgres
  bind *:5000
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
  server one 10.0.0.1:5432 check port 8008
  server two 10.0.0.2:5432 check port 8008
`;
