#!/usr/bin/env python3
"""Reads recorded answers of nodes and writes shapes.json: which fields each method's answers have, and of which types.

Reads lines {"source": …, "month": "2026-07", "method": …, "answer": …}. A field is required if in the newest month that shows
what it is part of, all have it: nodes add fields, and old transactions do not get them later.
"""

import json
import sys

TYPES = {dict: 'object', list: 'array', str: 'string', bool: 'boolean', int: 'number', float: 'number', type(None): 'null'}
# Errors are the programs' own, and have any form; a status is Ok or Err.
OPEN = ('err', 'status')


def visit(value, path, seen):
    fields = seen.setdefault(path, {'types': set(), 'count': 0, 'parts': {}})
    fields['types'].add(TYPES[type(value)])
    if isinstance(value, list):
        for each in value:
            visit(each, path + '[]', seen)
    if isinstance(value, dict) and path.split('.')[-1] not in OPEN:
        fields['count'] += 1
        for key, part in value.items():
            fields['parts'][key] = fields['parts'].get(key, 0) + 1
            visit(part, f'{path}.{key}', seen)


def shapes_of(lines):
    months, sources, numbers = {}, {}, {}
    for line in lines:
        method = line['method']
        visit(line['answer'], '', months.setdefault(method, {}).setdefault(line['month'], {}))
        sources.setdefault(method, set()).add(line['source'])
        numbers[method] = numbers.get(method, 0) + 1
    for method in sorted(months):
        fields, required = {}, {}
        for month in sorted(months[method]):
            for path, seen in months[method][month].items():
                fields.setdefault(path, set()).update(seen['types'])
                if seen['count']:
                    required[path] = [key for key, count in seen['parts'].items() if count == seen['count']]
        yield {
            'method': method,
            'answers': numbers[method],
            'months': sorted(months[method]),
            'sources': sorted(sources[method])[:3],
            'fields': {path: sorted(types) for path, types in sorted(fields.items())},
            'required': {path: sorted(keys) for path, keys in sorted(required.items()) if keys},
        }


if __name__ == '__main__':
    json.dump(list(shapes_of(json.loads(line) for line in sys.stdin)), sys.stdout, indent=2)
    print()
