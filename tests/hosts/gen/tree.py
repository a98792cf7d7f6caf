# SPDX-License-Identifier: BSD-2-Clause
"""A described file tree: regular files, directories, links and refusals, written out as a capture or as a directory."""
import base64
import errno
import json
import os
import shutil


class Tree:
    def __init__(self):
        self.files = {}      # path -> bytes
        self.links = {}      # path -> target
        self.dirs = set()    # directories that exist even when nothing is in them
        self.refused = {}    # path -> (errno name, what stat still says)
        self.modes = {}      # path -> permission bits, where not 0644

    def text(self, path, text):
        self.files[path] = text.encode('utf-8', 'surrogateescape')

    def line(self, path, value):
        self.text(path, f'{value}\n')

    def lines(self, base, **values):
        for name, value in values.items():
            self.line(f'{base}/{name}', value)

    def data(self, path, data, mode=None):
        self.files[path] = bytes(data)
        if mode is not None:
            self.modes[path] = mode

    def link(self, path, target):
        self.links[path] = target

    def dir(self, path):
        self.dirs.add(path)

    def remove(self, path):
        """Takes away a path and all below it. '*' stands for one path component."""
        for place in (self.files, self.links, self.refused):
            for found in [p for p in place if _below(p, path)]:
                del place[found]
        self.dirs = {p for p in self.dirs if not _below(p, path)}

    def refuse(self, path, name='EACCES'):
        """The path is there, but not to be read, listed or searched."""
        if path in self.files:
            status = {'type': 'file', 'size': len(self.files[path]), 'mode': self.modes.get(path, 0o400)}
        else:
            status = {'type': 'dir', 'size': 0, 'mode': 0o700}
        assert hasattr(errno, name), name
        self.remove(path)
        self.refused[path] = (name, status)

    def expand(self, pattern):
        """The paths that a pattern with '*' components names; itself when it has none."""
        if '*' not in pattern:
            return [pattern]
        want = pattern.split('/')
        found = set()
        for path in list(self.files) + list(self.links) + list(self.dirs):
            parts = path.split('/')
            if len(parts) >= len(want) and all(_fits(p, w) for p, w in zip(parts, want)):
                found.add('/'.join(parts[:len(want)]))
        return sorted(found)

    def parents(self):
        """Every directory, named or implied."""
        found = {'/'}
        for path in list(self.files) + list(self.links) + list(self.refused):
            path = os.path.dirname(path)
            while path not in found:
                found.add(path)
                path = os.path.dirname(path)
        for path in self.dirs:
            while path not in found:
                found.add(path)
                path = os.path.dirname(path)
        return found

    def canonical(self, path, depth=0):
        """`path` with every link resolved inside the tree."""
        if depth > 40:
            return path
        done = ''
        parts = [p for p in path.split('/') if p and p != '.']
        for i, part in enumerate(parts):
            if part == '..':
                done = os.path.dirname(done) if done else ''
                continue
            step = f'{done}/{part}'
            if step in self.links:
                target = self.links[step]
                if not target.startswith('/'):
                    target = f'{done}/{target}'
                return self.canonical('/'.join([target] + parts[i + 1:]), depth + 1)
            done = step
        return done or '/'

    def read(self, path):
        return self.files.get(self.canonical(path))

    def names(self, path):
        path = self.canonical(path).rstrip('/') + '/'
        found = set()
        for place in (self.files, self.links, self.dirs):
            for p in place:
                if p.startswith(path):
                    found.add(p[len(path):].split('/')[0])
        return sorted(found)

    def capture(self, live):
        questions = {}
        for path in sorted(self.parents()):
            questions[path] = {'stat': {'type': 'dir', 'size': 0, 'mode': 0o755}}
        for path, target in self.links.items():
            questions[path] = {'link': target}
        for path, data in self.files.items():
            entry = _content(data)
            if path in self.modes:
                entry['stat'] = {'type': 'file', 'size': len(data), 'mode': self.modes[path]}
            questions[path] = entry
        children = {}
        for path in questions:
            if path != '/':
                children.setdefault(os.path.dirname(path), []).append(os.path.basename(path))
        for path, entry in questions.items():
            if entry.get('stat', {}).get('type') == 'dir':
                entry['list'] = sorted(children.get(path, []))
        for path, (name, status) in self.refused.items():
            questions[path] = {'errno': name, 'stat': status}
        return {'schema': 'ampere-crypto/capture 1.0.0', 'complete': True, 'live': live, 'questions': questions}

    def write_capture(self, path, live):
        capture = self.capture(live)
        questions = capture.pop('questions')
        with open(path, 'w', encoding='utf-8') as out:
            out.write(json.dumps(capture)[:-1] + ',\n"questions": {\n')
            out.write(',\n'.join(f'{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}'
                                 for k, v in sorted(questions.items())))
            out.write('\n}}\n')

    def write_directory(self, top, live):
        """Refusals have no counterpart in a directory read by root and are left out."""
        shutil.rmtree(top, ignore_errors=True)
        made = set()

        def make(path):
            if path not in made:
                os.makedirs(path, exist_ok=True)
                made.add(path)
        for path in self.parents():
            if path not in self.links:
                make(top + path)
        for path, data in self.files.items():
            with open(top + path, 'wb') as out:
                out.write(data)
            if path in self.modes:
                os.chmod(top + path, self.modes[path])
        for path, target in self.links.items():
            os.symlink(target, top + path)
        with open(f'{top}/live.json', 'w', encoding='utf-8') as out:
            json.dump(live, out)


def _content(data):
    try:
        text = data.decode('utf-8')
    except UnicodeDecodeError:
        text = '\0'
    if '\0' in text:
        return {'base64': base64.b64encode(data).decode()}
    return {'text': text}


def _fits(part, want):
    if '*' not in want:
        return part == want
    head, tail = want.split('*', 1)
    return part.startswith(head) and part.endswith(tail) and len(part) >= len(head) + len(tail)


def _below(path, pattern):
    if '*' not in pattern:
        return path == pattern or path.startswith(pattern + '/')
    parts, want = path.split('/'), pattern.split('/')
    return len(parts) >= len(want) and all(_fits(p, w) for p, w in zip(parts, want))
