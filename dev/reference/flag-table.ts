import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../../artifacts/cache";
import { ETCD_VERSIONS, NEWEST_PATCHES } from "../../artifacts/lock";
import type { FlagGroup, FlagTable, Program } from "../../cluster/flags/known";
import { minorOf } from "../../cluster/upgrades/version";

interface Asked {
    readonly part: "kubernetes" | "etcd";
    readonly versions: readonly string[];
    /** What it takes though its help does not list it, with a value that it takes. Source: `MarkDeprecated` of Kubernetes hides flags. */
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
};

/** The table's text by what the cache's programs say of themselves; undefined where it lacks one. */
export function flagTable(): string | undefined {
    const asked = Object.entries(programs).map(([program, { part, versions, unlisted = {} }]) => ({
        program,
        unlisted,
        files: versions.map((version) => ({ version, file: join(cacheDir(), "bin", part, version, program) })),
    }));
    if (!asked.every(({ files }) => files.every(({ file }) => existsSync(file)))) {
        return undefined;
    }
    const table: FlagTable = Object.fromEntries(
        asked.map(({ program, unlisted, files }) => [
            program,
            grouped(files.map(({ version, file }) => [minorOf(version), flagsOf(file, unlisted)])),
        ]),
    );
    return `${JSON.stringify(table, undefined, 1)}\n`;
}

/** What is deprecated by its name, `""` for what is not. @throws Error when it does not take a flag that is named here */
function flagsOf(file: string, unlisted: Readonly<Record<string, string>>): Record<string, string> {
    const help = (...flags: string[]) => spawnSync(file, [...flags, "--help"], { encoding: "utf8" });
    const { stdout, stderr } = help();
    const flags = parseFlags(stdout || stderr);
    for (const [flag, value] of Object.entries(unlisted)) {
        const { status, stderr } = help(`--${flag}=${value}`);
        if (status !== 0) throw new Error(`${file} does not take --${flag}=${value}: ${stderr.split("\n")[0]}`);
        flags[flag] = /has been deprecated, (.*)/.exec(stderr)?.[1] ?? "";
    }
    return flags;
}

/** Flags together that the same minor versions have and say the same of. */
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
