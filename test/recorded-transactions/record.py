#!/usr/bin/env python3
"""Re-encodes answers of getTransaction as facts, and says what each of them moved.

Reads lines {"source": …, "network": …, "result": <the answer>} and writes two files: facts.jsonl, from which
build-answer.ts makes an answer of encoding json again, and oracle.jsonl, what came of it for whom. It shares no code
with the service: the oracle is computed from the balances of the original answer, with the standard library alone.
"""

import base64
import hashlib
import json
import sys

TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
SYSTEM = '11111111111111111111111111111111'
COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'

ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'


def from_base58(text):
    number = 0
    for char in text:
        number = number * 58 + ALPHABET.index(char)
    zeros = len(text) - len(text.lstrip('1'))
    return b'\0' * zeros + number.to_bytes((number.bit_length() + 7) // 8, 'big')


def to_base58(data):
    number, text = int.from_bytes(data, 'big'), ''
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return '1' * (len(data) - len(data.lstrip(b'\0'))) + text


P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P


def is_on_curve(data):
    y = int.from_bytes(data, 'little') & (2**255 - 1)
    if y >= P:
        return False
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    return square == 0 or pow(square, (P - 1) // 2, P) == 1


def recover(data):
    """The point of the curve that these bytes stand for, as x and y; none if there is no such point."""
    y = int.from_bytes(data, 'little')
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    return (P - x if x & 1 != sign else x), y


def add(one, other):
    """Adds two points as (X, Y, Z, T), so that nothing is divided before the end."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(point, count):
    total, point = (0, 1, 1, 0), extended(point)
    while count:
        if count & 1:
            total = add(total, point)
        point, count = add(point, point), count >> 1
    return total


def extended(point):
    x, y = point
    return x, y, 1, x * y % P


BASE = recover((4 * pow(5, P - 2, P) % P).to_bytes(32, 'little'))


def is_signed(signature, key, message):
    """Ed25519, by the book: what verifies was made by the holder of the key, and by nobody's test."""
    commitment, public = recover(signature[:32]), recover(key)
    if commitment is None or public is None:
        return False
    digest = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), 'little')
    left = times(BASE, int.from_bytes(signature[32:], 'little'))
    right = add(extended(commitment), times(public, digest))
    return all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))


def short(number):
    """A length as messages write it: seven bits a byte, lowest first."""
    written = b''
    while number > 0x7F:
        written += bytes([number & 0x7F | 0x80])
        number >>= 7
    return written + bytes([number])


def message_of(result):
    """The bytes that were signed; none where the answer does not tell all of them."""
    body = result['transaction']
    if isinstance(body, list):
        data = base64.b64decode(body[0])
        return data[1 + 64 * data[0] :]
    message = body['message']
    header = message.get('header')
    if header is None or 'recentBlockhash' not in message or result.get('version', 'legacy') not in ('legacy', 0):
        return None
    counts = ('numRequiredSignatures', 'numReadonlySignedAccounts', 'numReadonlyUnsignedAccounts')
    bytes_ = b'\x80' if result.get('version') == 0 else b''
    bytes_ += bytes(header[each] for each in counts) + short(len(message['accountKeys']))
    bytes_ += b''.join(from_base58(each) for each in message['accountKeys'])
    bytes_ += from_base58(message['recentBlockhash']) + short(len(message['instructions']))
    for each in message['instructions']:
        data, accounts = from_base58(each['data']), bytes(each['accounts'])
        bytes_ += bytes([each['programIdIndex']]) + short(len(accounts)) + accounts + short(len(data)) + data
    if result.get('version') == 0:
        tables = message.get('addressTableLookups') or []
        bytes_ += short(len(tables))
        for table in tables:
            bytes_ += from_base58(table['accountKey'])
            for each in (bytes(table['writableIndexes']), bytes(table['readonlyIndexes'])):
                bytes_ += short(len(each)) + each
    return bytes_


def associated_account(owner, mint, program):
    seeds = b''.join(from_base58(each) for each in (owner, program, mint))
    for bump in range(255, -1, -1):
        text = seeds + bytes([bump]) + from_base58(ASSOCIATED) + b'ProgramDerivedAddress'
        found = hashlib.sha256(text).digest()
        if not is_on_curve(found):
            return to_base58(found)
    raise ValueError('no associated account')


def plain(result):
    """The answer in encoding json, whatever the encoding it was recorded in."""
    body, meta = result['transaction'], result['meta']
    if isinstance(body, list):
        return 'base64', decoded(base64.b64decode(body[0]), meta)
    message = body['message']
    keys = message['accountKeys']
    if keys and isinstance(keys[0], dict):
        return 'jsonParsed', unparsed(body, meta)
    loaded = meta.get('loadedAddresses') or {'writable': [], 'readonly': []}
    inner = meta.get('innerInstructions') or []
    return 'json', {
        'signatures': body['signatures'],
        'static': keys,
        'writable': loaded['writable'],
        'readonly': loaded['readonly'],
        'instructions': [compiled(each) for each in message['instructions']],
        'inner': [[group['index'], [compiled(each) for each in group['instructions']]] for group in inner],
    }


def compiled(instruction):
    return [instruction['programIdIndex'], list(instruction['accounts']), instruction['data']]


def decoded(data, meta):
    at = 0

    def take(count):
        nonlocal at
        at += count
        if at > len(data):
            raise ValueError('too short')
        return data[at - count : at]

    def length():
        value, shift = 0, 0
        while True:
            byte = take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    signatures = [to_base58(take(64)) for _ in range(length())]
    if data[at] & 0x80:
        if take(1)[0] != 0x80:
            raise ValueError('another version')
    take(3)
    static = [to_base58(take(32)) for _ in range(length())]
    take(32)
    instructions = [
        [take(1)[0], list(take(length())), to_base58(take(length()))] for _ in range(length())
    ]
    loaded = meta.get('loadedAddresses') or {'writable': [], 'readonly': []}
    inner = meta.get('innerInstructions') or []
    return {
        'signatures': signatures,
        'static': static,
        'writable': loaded['writable'],
        'readonly': loaded['readonly'],
        'instructions': instructions,
        'inner': [[group['index'], [compiled(each) for each in group['instructions']]] for group in inner],
    }


def unparsed(body, meta):
    keys = body['message']['accountKeys']
    loaded = [key for key in keys if key.get('source') == 'lookupTable']
    writable = [key['pubkey'] for key in loaded if key['writable']]
    readonly = [key['pubkey'] for key in loaded if not key['writable']]
    static = [key['pubkey'] for key in keys if key.get('source') != 'lookupTable']
    names = static + writable + readonly
    inner = meta.get('innerInstructions') or []
    back = lambda each: uncompiled(each, names)
    return {
        'signatures': body['signatures'],
        'static': static,
        'writable': writable,
        'readonly': readonly,
        'instructions': [back(each) for each in body['message']['instructions']],
        'inner': [[group['index'], [back(each) for each in group['instructions']]] for group in inner],
    }


def uncompiled(instruction, names):
    """A parsed instruction as bytes again, where it moves tokens or is a memo; of others only whose it is."""
    program = instruction['programId']
    if 'parsed' not in instruction:
        accounts = [names.index(each) for each in instruction['accounts']]
        return [names.index(program), accounts, instruction['data']]
    parsed = instruction['parsed']
    if isinstance(parsed, str):
        return [names.index(program), [], to_base58(parsed.encode())]
    info, kind = parsed.get('info') or {}, parsed['type']
    authority = info.get('authority') or info.get('multisigAuthority')
    signers = [names.index(each) for each in info.get('signers') or []]
    if program in (TOKEN, TOKEN_2022) and kind == 'transfer':
        accounts = [names.index(info[each]) for each in ('source', 'destination')] + [names.index(authority)]
        data = b'\x03' + int(info['amount']).to_bytes(8, 'little')
        return [names.index(program), accounts + signers, to_base58(data)]
    if program in (TOKEN, TOKEN_2022) and kind == 'transferChecked':
        held = info['tokenAmount']
        accounts = [names.index(info[each]) for each in ('source', 'mint', 'destination')]
        data = b'\x0c' + int(held['amount']).to_bytes(8, 'little') + bytes([held['decimals']])
        return [names.index(program), accounts + [names.index(authority)] + signers, to_base58(data)]
    code = {'closeAccount': 9, 'mintTo': 7, 'mintToChecked': 14, 'burn': 8, 'burnChecked': 15, 'syncNative': 17}
    if program == SYSTEM and kind == 'advanceNonce':
        return [names.index(program), [names.index(info['nonceAccount'])], to_base58(b'\x04\0\0\0')]
    accounts = [names.index(each) for each in info.values() if isinstance(each, str) and each in names]
    data = bytes([code[kind]]) if program in (TOKEN, TOKEN_2022) and kind in code else b''
    return [names.index(program), accounts, to_base58(data)]


def facts_of(line):
    result = line['result']
    meta = result['meta']
    encoding, answer = plain(result)
    names = answer['static'] + answer['writable'] + answer['readonly']
    counts = [len(answer[each]) for each in ('static', 'writable', 'readonly')]
    keys = len(names)

    def index(name):
        if name not in names:
            names.append(name)
        return names.index(name)

    def held(balance):
        amount = balance['uiTokenAmount']
        return [
            balance['accountIndex'],
            index(balance['mint']),
            index(balance['owner']),
            index(balance['programId']),
            amount['amount'],
            amount['decimals'],
        ]

    # Some answers were recorded without them: they are kept as what a node may not be believed to have said.
    listed = [meta.get(each) for each in ('preTokenBalances', 'postTokenBalances')]
    before, after = [each and [held(one) for one in each] for each in listed]
    instructions = [kept(each, names) for each in answer['instructions']]
    inner = [[at, [kept(each, names) for each in group]] for at, group in answer['inner']]
    assert all(0 <= each[0] < keys for each in (before or []) + (after or []))
    return {
        'signature': answer['signatures'][0],
        'source': line['source'],
        'network': line.get('network', 'mainnet'),
        'encoding': encoding,
        'isProven': is_proven(result, answer),
        'slot': result['slot'],
        'blockTime': result.get('blockTime'),
        'version': result.get('version', 'legacy'),
        'fee': meta.get('fee'),
        'err': meta.get('err'),
        'signatures': len(answer['signatures']),
        'keys': counts,
        'names': names,
        'before': before,
        'after': after,
        'instructions': instructions,
        'inner': inner,
    }


def is_proven(result, answer):
    """True if every signature fits what was signed, false where the answer does not tell all of that.

    One that tells it, and whose signatures do not fit, was made up or changed: it is no record of anything.
    """
    try:
        message = message_of(result)
    except KeyError:
        return False
    if message is None:
        return False
    pairs = zip(answer['signatures'], answer['static'])
    if not all(is_signed(from_base58(one), from_base58(key), message) for one, key in pairs):
        raise ValueError('its signatures do not fit')
    return True


def kept(instruction, names):
    """Data of programs that the reader does not read is left out."""
    program, accounts, data = instruction
    is_read = names[program] in (TOKEN, TOKEN_2022, MEMO, SYSTEM, COMPUTE_BUDGET)
    return [program, accounts, data if is_read else '']


def oracle_of(line, facts):
    """What came of a transaction, from the balances of the original answer."""
    result = line['result']
    meta = result['meta']
    names = facts['names']
    accounts, held = {}, {-1: {}, 1: {}}
    for when, sign in (('preTokenBalances', -1), ('postTokenBalances', 1)):
        for balance in meta.get(when) or []:
            # An account that is closed and opened anew may have another owner afterward.
            key = (names[balance['accountIndex']], balance['mint'], balance['owner'], balance['programId'])
            accounts[key] = accounts.get(key, 0) + sign * int(balance['uiTokenAmount']['amount'])
            held[sign].setdefault(key[0], balance['uiTokenAmount']['amount'])
    changes = {}
    for (_, mint, owner, _), change in accounts.items():
        of_mint = changes.setdefault(mint, {})
        of_mint[owner] = of_mint.get(owner, 0) + change
    failed = meta.get('err') is not None
    if failed and any(accounts.values()):
        raise ValueError('a failed transaction moved tokens')
    transfers, memos = moved(facts)
    listed = {key[0] for key in accounts}
    unlisted = {}
    for source, destination, amount, *_ in transfers:
        for account, change in ((source, -int(amount)), (destination, int(amount))):
            if account not in listed:
                unlisted[account] = unlisted.get(account, 0) + change
    return {
        'signature': facts['signature'],
        'families': families_of(facts, accounts, changes, transfers),
        'isTold': facts['before'] is not None and facts['after'] is not None,
        'failed': failed,
        'changes': {mint: {owner: str(n) for owner, n in of.items()} for mint, of in changes.items()},
        'signers': names_of_signers(facts),
        'accounts': [
            {
                'account': account,
                'mint': mint,
                'owner': owner,
                'program': program,
                'before': held[-1].get(account, '0'),
                'after': held[1].get(account, '0'),
                'change': str(change),
                'received': str(0 if failed else max(0, min(change, changes[mint][owner]))),
                'associated': associated_account(owner, mint, program) == account,
            }
            for (account, mint, owner, program), change in accounts.items()
        ],
        'unlisted': {account: str(change) for account, change in unlisted.items()},
        'transfers': [list(each) for each in transfers],
        'memos': memos,
    }


def names_of_signers(facts):
    return facts['names'][: facts['signatures']]


MAX_MEMO_CHARS = 80
MAX_MEMOS = 4


def moved(facts):
    """Short memos, and transfers of the token program: source, destination, amount, authority, other accounts.

    The outer ones come before the inner ones. Accounts beyond those that a transfer needs are its references.
    """
    names = facts['names']
    groups = [facts['instructions']] + [group for _, group in facts['inner']]
    transfers, memos = [], []
    for program, accounts, data in (each for group in groups for each in group):
        if names[program] == MEMO and len(data) <= MAX_MEMO_CHARS and len(memos) < MAX_MEMOS:
            memos.append(from_base58(data).decode('utf8', 'replace'))
        if names[program] != TOKEN:
            continue
        raw, given = from_base58(data), [names[each] for each in accounts]
        amount = str(int.from_bytes(raw[1:9], 'little'))
        if raw[:1] == b'\x03':
            transfers.append((given[0], given[1], amount, given[2], given[3:]))
        if raw[:1] == b'\x0c':
            transfers.append((given[0], given[2], amount, given[3], given[4:]))
    return transfers, memos


MINTS = {
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v': 'usdc',
    '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU': 'usdc',
    'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB': 'another-stablecoin',
    '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo': 'another-stablecoin',
    'USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA': 'another-stablecoin',
    'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr': 'another-stablecoin',
}

PROGRAMS = {
    TOKEN_2022: 'token-2022',
    'SMPLecH534NA9acpos4G6x7uf3LWbCAwZQE9e8ZekMu': 'multisig-vault',
    'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf': 'multisig-vault',
    'CCTPiPYPc6AsJuwueEnWgSgucamXDZwBd53dQ11YiKX3': 'cctp',
    'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe': 'cctp',
    'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4': 'jupiter',
    'JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB': 'jupiter',
    'JUP3c2Uh3WA4Ng34tw6kPd2G4C5BB21Xo36Je1s32Ph': 'jupiter',
    'JUP2jxvXaqu7NQY1GmNF4m1vodw12LVXYxbFL2uJvfo': 'jupiter',
    'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95': 'changed-by-wallet',
    'wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb': 'bridge',
    'worm2ZoG2kUd4vFXhvjh93UUH596ayRfgQ2MgjNMTth': 'bridge',
    'BrdgN2RPzEMWF96ZbnnJaUtQDQx7VRXYaHHbYCBvceWB': 'bridge',
    'src5qyZHqTqecJV4aY6Cb6zDZLMDzrDKKezs22MPHr4': 'bridge',
    'dst5MGcFPoBeREFAA5E3tU5ij8m5uVYwkzkSAbsLbNo': 'bridge',
    'BUYuxRfhCMWavaUWxhGtPP3ksKEDZxCD5gzknk3JfAya': 'bridge',
    'FC4eXxkyrMPTjiYUpp4EAnkmwMbQyZ6NDCh1kfLn6vsf': 'bridge',
    '8Pn9iWFzXfJTNNSTG5pF9YVDK8j9qDWPrM3wsAF4Bb2F': 'bridge',
}

# Hot wallets as explorers label them.
EXCHANGES = {
    '5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9': 'Binance',
    '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM': 'Binance',
    '2ojv9BAiHUrvsm9gxDe7fJSzbNZSJcxZvf8dqmWGHG8S': 'Binance',
    'H8sMJSCQxfKiFTCfDR3DUMLPwcRbM61LGFJ8N4dK3WjS': 'Coinbase',
    '2AQdpHJ2JpcEgPiATUXjQxA8QmafFegfQwSLWSprPicm': 'Coinbase',
    'GJRs4FwHtemZ5ZE9x3FNvJ8TMwitKTh21yxdRPqn7npE': 'Coinbase',
    'FWznbcNXWQuHTawe9RxvQ2LdCENssh12dsznf4RiouN5': 'Kraken',
    '5VCwKtCXgCJ6kit5FybXjvriW3xELsFDhYrPSqtJNmcD': 'OKX',
    'AC5RDfQFmDS1deWZos921JfqscXdByf8BKHs5ACWjtW2': 'Bybit',
    'u6PJ8DtQuPFnfmwHbGFULQ4u4EgjDiyYKjVEsynXq2w': 'Gate',
    'BmFdpraQhkiDQE6SnfG5omcA1VwzqfXrwtNYBwWTymy6': 'KuCoin',
    'ASTyfSima4LLAdDgoFGkgqoKowG1LZFDr9fAQrg7iaJZ': 'MEXC',
}


CENT = 10_000
MANY_TRANSFERS = 10


def families_of(facts, accounts, changes, transfers):
    names = facts['names']
    outer = facts['instructions']
    everything = outer + [each for _, group in facts['inner'] for each in group]
    found = {MINTS[mint] for mint in changes if mint in MINTS}
    found |= {PROGRAMS[names[program]] for program, *_ in everything if names[program] in PROGRAMS}
    calls = [(names[program], from_base58(data)) for program, _, data in everything]
    usdc = {account for account, mint, *_ in accounts if MINTS.get(mint) == 'usdc'}
    usdc_outer = [(each, from_base58(each[2])) for each in outer if names[each[0]] == TOKEN]
    for (_, given, _), raw in usdc_outer:
        if given and names[given[0]] in usdc and raw[:1] == b'\x03':
            found.add('usdc-transfer')
        if given and names[given[0]] in usdc and raw[:1] == b'\x0c':
            found.add('usdc-transfer-checked')
    if facts['keys'][1] + facts['keys'][2] > 0:
        found.add('lookup-tables')
    if facts['inner']:
        found.add('inner-instructions')
    if facts['err'] is not None:
        found.add('failed')
    if calls and calls[0][0] == SYSTEM and calls[0][1][:4] == b'\x04\0\0\0':
        found.add('durable-nonce')
    if any(program == COMPUTE_BUDGET and data[:1] == b'\x03' for program, data in calls):
        found.add('priority-fee')
    if any(program == TOKEN and data[:1] in (b'\x07', b'\x0e') for program, data in calls):
        found.add('mint')
    burns = any(program == TOKEN_2022 and data[:1] in (b'\x08', b'\x0f') for program, data in calls)
    newer = {mint for _, mint, _, program in accounts if program == TOKEN_2022}
    # What its owners have together is less, and nothing was burned: the mint has withheld a fee.
    if not burns and any(sum(changes[mint].values()) < 0 for mint in newer):
        found.add('fee-mint')
    if any(MINTS.get(mint) == 'usdc' and 0 < change < CENT for (_, mint, *_), change in accounts.items()):
        found.add('dust')
    if sum(program == SYSTEM and data[:4] == b'\x02\0\0\0' for program, data in calls) > MANY_TRANSFERS:
        found.add('spam')
    if any(program == TOKEN and data[:1] == b'\x09' for program, data in calls):
        found.add('closed-account')
    before = {each[0] for each in facts['before'] or []}
    after = {each[0] for each in facts['after'] or []}
    if after - before:
        found.add('created-account')
    to = [destination for _, destination, amount, *_ in transfers if amount != '0']
    owner_of = {account: (owner, mint) for account, mint, owner, _ in accounts}
    owners = [owner_of[each] for each in to if each in owner_of]
    if len(owners) > len(set(owners)):
        found.add('several-to-one-owner')
    if len({owner for owner, mint in owners}) > 3:
        found.add('many-receivers')
    if any(len(each[4]) > 0 for each in transfers):
        found.add('reference')
    if any(len(each[4]) > 1 for each in transfers):
        found.add('several-references')
    if facts['version'] == 1:
        found.add('version-1')
    moved_by = {each[3] for each in transfers} | {names[0]}
    if moved_by & set(EXCHANGES):
        found.add('exchange-withdrawal')
    if facts['before'] is None or facts['after'] is None:
        found.add('balances-left-out')
    elif not accounts:
        found.add('no-tokens')
    return sorted(found)


def main(folder):
    lines = [json.loads(line) for line in sys.stdin]
    facts = [facts_of(line) for line in lines]
    oracle = [oracle_of(line, fact) for line, fact in zip(lines, facts)]
    for name, rows in (('facts', facts), ('oracle', oracle)):
        with open(f'{folder}/{name}.jsonl', 'w', encoding='utf8') as out:
            for row in rows:
                out.write(json.dumps(row, separators=(',', ':'), ensure_ascii=False) + '\n')


if __name__ == '__main__':
    main(sys.argv[1])
