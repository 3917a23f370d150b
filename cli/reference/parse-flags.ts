/** What a kubelet says of most of its flags. Its file is ours, so that who sets one can do nothing about it. */
const forItsFile = "This parameter should be set via the config file";

/** Flags of a program's `--help`, with what it says of those that are deprecated, else with `""`. */
export function parseFlags(help: string): Record<string, string> {
    const flags: Record<string, string> = {};
    let last: string | undefined;
    for (const line of help.split("\n")) {
        const [, flag] = /^ {2,8}(?:-[a-zA-Z], )?--([a-z0-9-]+)/.exec(line) ?? [];
        if (flag !== undefined) flags[flag] = "";
        last = flag ?? (line.trim() === "" ? undefined : last);
        if (last !== undefined) flags[last] ||= deprecation(line);
    }
    return flags;
}

/** Kubernetes' programs have it in brackets at the end, etcd as sentences. */
function deprecation(line: string): string {
    const [, ofKubernetes] = /\(DEPRECATED: (.*)\)$/.exec(line) ?? [];
    const [ofEtcd] = /(?<=\. )Deprecated (in|and) .*$/.exec(line) ?? [];
    const text = ofKubernetes ?? ofEtcd ?? "";
    return text.startsWith(forItsFile) ? "" : text.split(" Due to ")[0]!;
}
