// For the health check of a container: ends with 0 while the service can take traffic. A file, because podman-compose 1.0
// breaks a command that has quotes or brackets in it.
fetch(`http://127.0.0.1:${process.env.PORT ?? 4020}/health/ready`).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
