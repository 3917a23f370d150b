import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../cache";
import { type FlagGroup, type FlagTable, knownFlags, type Program } from "../../cluster/flags/known";
import { minorOf } from "../../cluster/upgrades/version";
import { ETCD_VERSIONS, NEWEST_PATCHES, versions } from "../../versions";

interface Asked {
    readonly part: "kubernetes" | "etcd" | "coredns" | "flannel" | "kube-router";
    /** @default the program's name */
    readonly file?: string;
    readonly versions: readonly string[];
    /** Flags accepted but not listed by `--help`, with a valid value. Source: `MarkDeprecated` of Kubernetes hides flags. */
    readonly unlisted?: Readonly<Record<string, string>>;
}

const kubernetes = { part: "kubernetes", versions: NEWEST_PATCHES } as const;
const programs: Readonly<Record<Program, Asked>> = {
    "kube-apiserver": {
        ...kubernetes,
        unlisted: {
            "apiserver-count": "1",
            "audit-webhook-batch-initial-backoff": "1s",
            "default-watch-cache-size": "1",
            "kubelet-port": "1",
            "kubelet-read-only-port": "1",
        },
    },
    "kube-controller-manager": { ...kubernetes, unlisted: { "allow-untagged-cloud": "true" } },
    "kube-scheduler": kubernetes,
    kubelet: kubernetes,
    etcd: { part: "etcd", versions: ETCD_VERSIONS, unlisted: { "config-file": "", version: "true" } },
    "kube-proxy": kubernetes,
    coredns: { part: "coredns", versions: [versions.coredns] },
    flannel: { part: "flannel", versions: [versions.flannel], file: "flanneld" },
    "kube-router": { part: "kube-router", versions: [versions.kubeRouter] },
};

/**
 * The table as text, from the `--help` of the cached programs. A version that the cache lacks keeps the flags that the
 * table has.
 */
export function flagTable(): string {
    const table: FlagTable = Object.fromEntries(
        Object.entries(programs).map(([program, { part, versions, file: name = program, unlisted = {} }]) => [
            program,
            grouped(
                versions.map((version) => {
                    const file = join(cacheDir(), "bin", part, version, name);
                    const minor = minorOf(version);
                    const known = knownFlags(program as Program, minor) ?? new Map();
                    return [minor, existsSync(file) ? flagsOf(file, unlisted) : Object.fromEntries(known)];
                }),
            ),
        ]),
    );
    return `${JSON.stringify(table, undefined, 1)}\n`;
}

/** Deprecation messages by flag, `""` if not deprecated. @throws Error if a flag named here is not accepted */
function flagsOf(file: string, unlisted: Readonly<Record<string, string>>): Record<string, string> {
    const help = (...flags: string[]) => spawnSync(file, [...flags, "--help"], { encoding: "utf8" });
    const { stdout, stderr } = help();
    const flags = parseFlags(stdout || stderr);
    for (const [flag, value] of Object.entries(unlisted)) {
        const { status, stderr } = help(`--${flag}=${value}`);
        if (status !== 0) throw new Error(`${file} does not accept --${flag}=${value}: ${stderr.split("\n")[0]}`);
        flags[flag] = /has been deprecated, (.*)/.exec(stderr)?.[1] ?? "";
    }
    return flags;
}

/** Groups flags by the minor versions that have them and their message. */
export function grouped(versions: readonly (readonly [minor: string, flags: Record<string, string>])[]): FlagGroup[] {
    const minorsOf = new Map<string, Set<string>>();
    for (const [minor, flags] of versions) {
        for (const [flag, text] of Object.entries(flags)) {
            const entry = text ? `${flag}: ${text}` : flag;
            minorsOf.set(entry, (minorsOf.get(entry) ?? new Set()).add(minor));
        }
    }
    const entries = [...minorsOf].map(([entry, minors]) => ({ entry, minors: [...minors].sort().join(" ") }));
    const together = [...new Set(entries.map(({ minors }) => minors))].sort();
    return together.map((minors) => ({
        minors: minors.split(" "),
        flags: entries
            .filter((each) => each.minors === minors)
            .map(({ entry }) => entry)
            .sort(),
    }));
}

/** The kubelet prints this for most flags. Tradewind manages its config file, so users cannot act on it. */
const forItsFile = "This parameter should be set via the config file";

/** Flags in a program's `--help`, with their deprecation message or `""`. */
export function parseFlags(help: string): Record<string, string> {
    const flags: Record<string, string> = {};
    let last: string | undefined;
    for (const line of help.split("\n")) {
        // Those of add-ons have one dash, and some have other letters, which `components` does not take.
        const [, flag] = /^ {2,8}(?:-[a-zA-Z], )?--?([a-z0-9-]+)(?= |$)/.exec(line) ?? [];
        if (flag !== undefined) flags[flag] = "";
        last = flag ?? (line.trim() === "" ? undefined : last);
        if (last !== undefined) flags[last] ||= deprecation(line);
    }
    return flags;
}

/** Kubernetes' programs print it in parentheses at the end, etcd as sentences. */
function deprecation(line: string): string {
    const [, ofKubernetes] = /\(DEPRECATED: (.*)\)$/.exec(line) ?? [];
    const [ofEtcd] = /(?<=\. )Deprecated (in|and) .*$/.exec(line) ?? [];
    const text = ofKubernetes ?? ofEtcd ?? "";
    return text.startsWith(forItsFile) ? "" : text.split(" Due to ")[0]!;
}
