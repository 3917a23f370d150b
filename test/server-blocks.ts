/** Additional server blocks that are legal, by what is special about them. */
export const legalBlocks: Readonly<Record<string, string>> = {
    "a block": "corp.example {\n    forward . 10.0.0.2 10.0.0.3\n}\n",
    "several zones": "a.example, b.example:53 {\n    whoami\n}\nC.example. d.example {\n    whoami\n}\n",
    "zones in several lines": "a.example,\nb.example\n{\n    whoami\n}\n",
    "a plugin's own block": "a.example {\n    log {\n        class error\n    }\n    cache 5\n}\n",
    "blocks in one line": "a.example { whoami\n} b.example {\n    log {\n    } whoami\n}\n",
    comments: '# }\na.example { # {\n    hosts { # "\n        10.0.0.1 x.a.example # }\n    }\n}\n',
    "quoted braces": 'a.example {\n    template IN A {\n        answer "{{ .Name }} 60 IN A 10.0.0.1"\n    }\n}\n',
    "a snippet": "(common) {\n    errors\n    cache 30\n}\na.example {\n    import common\n    whoami\n}\n",
    "addresses of other networks": "10.9.0.0/16 {\n    forward . 10.0.0.2\n}\n",
};

/** Illegal ones that CoreDNS itself accepts, but not as they are meant. */
export const toleratedBlocks = ["a missing brace", "an extra brace", "a block without zones", "the cluster's zone"];

/** Additional server blocks that previews refuse. CoreDNS refuses most too, and with them its whole configuration. */
export const illegalBlocks: Readonly<Record<string, readonly [text: string, error: RegExp]>> = {
    "a missing brace": [
        "a.example {\n    log {\n    }\n",
        /must be balanced in its braces \(got "a\.example" in line 1\)/,
    ],
    "an extra brace": ["a.example {\n    whoami\n}\n}\n", /must be balanced in its braces \(got "}" in line 4\)/],
    "a closing brace at the end of a line": [
        "a.example {\n    whoami }\n",
        /must be blocks with each closing brace on a line of its own \(got "}" in line 2\)/,
    ],
    "a zone twice": [
        "a.example {\n}\nA.example.:53 {\n}\n",
        /must not have a zone twice \(got "A\.example\.:53" in line 3\)/,
    ],
    "the root zone": [
        ". {\n    forward . 10.0.0.2\n}\n",
        /must not have the zones of the cluster, .* \(got "\." in line 1\)/,
    ],
    "the cluster's zone": ["cluster.local {\n    whoami\n}\n", /must not have the zones of the cluster/],
    "a plugin that does not exist": [
        "a.example {\n    forwards . 10.0.0.2\n}\n",
        /must be blocks of CoreDNS' own plugins \(got "forwards"/,
    ],
    "zones in lines without commas": [
        "a.example\nb.example {\n    whoami\n}\n",
        /must be blocks of a Corefile.*"a\.example" in line 1/,
    ],
    "a block without zones": ["{\n    whoami\n}\n", /must be blocks of a Corefile.*"{" in line 1/],
    "a line without a block": [
        "a.example {\n    whoami\n}\nforward . 10.0.0.2\n",
        /must be blocks of a Corefile.*"forward" in line 4/,
    ],
    "an import of a file": ["a.example {\n    import /etc/other\n}\n", /must not import .*"\/etc\/other"/],
};
