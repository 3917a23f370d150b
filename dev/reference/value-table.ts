import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kubernetes } from "../../artifacts";
import { goFolder, moduleSource } from "../../artifacts/go-build";
import { cacheDir } from "../../cache";
import { minorOf } from "../../cluster/upgrades/version";
import { ETCD_VERSIONS, type EtcdVersion, KUBERNETES_VERSIONS, type KubernetesVersion } from "../../versions";
import { grouped } from "./flag-table";

const TABLE = join(__dirname, "../../cluster/flags/known-values.json");

/** Adds versions that are in the cache to the table of closed lists, or updates them. */
export async function addValues(asked: readonly string[]): Promise<void> {
    const table = JSON.parse(readFileSync(TABLE, "utf8"));
    for (const version of asked) {
        const ofKubernetes = KUBERNETES_VERSIONS.find((each) => each === version);
        const ofEtcd = ETCD_VERSIONS.find((each) => each === version);
        if (ofKubernetes !== undefined) {
            table.kubernetes = withMinor(table.kubernetes, minorOf(version), await valuesOfKubernetes(ofKubernetes));
        } else if (ofEtcd !== undefined) {
            table.etcd = withMinor(table.etcd, minorOf(version), valuesOfEtcd(ofEtcd));
        } else {
            const legal = [...KUBERNETES_VERSIONS, ...ETCD_VERSIONS].join(", ");
            throw new Error(`VERSION must be one of ${legal} (got ${version})`);
        }
    }
    writeFileSync(TABLE, `${JSON.stringify(table, undefined, 1)}\n`);
}

interface NameGroup {
    readonly minors: readonly string[];
    readonly names: readonly string[];
}

/** The lists with the names of a minor version replaced. */
export function withMinor(
    lists: Readonly<Record<string, readonly NameGroup[]>>,
    minor: string,
    names: Readonly<Record<string, readonly string[]>>,
): Record<string, NameGroup[]> {
    return Object.fromEntries(
        Object.entries(lists).map(([list, groups]) => {
            const others = [...new Set(groups.flatMap(({ minors }) => minors))].filter((each) => each !== minor);
            const namesOf = (each: string) =>
                groups.filter(({ minors }) => minors.includes(each)).flatMap(({ names }) => names);
            const all = [
                ...others.map((each) => [each, namesOf(each)] as const),
                [minor, names[list] ?? []] as const,
            ].map(([each, list]) => [each, Object.fromEntries(list.map((name) => [name, ""]))] as const);
            return [list, grouped(all).map(({ minors, flags }) => ({ minors, names: flags }))];
        }),
    );
}

function valuesOfEtcd(version: EtcdVersion): Record<string, readonly string[]> {
    const help = helpOf(cached("etcd", version, "etcd"));
    return { gates: [...help.matchAll(/^ +(\w+)=true\|false/gm)].map(([, name]) => name!) };
}

async function valuesOfKubernetes(version: KubernetesVersion): Promise<Record<string, readonly string[]>> {
    const program = (name: string) => cached("kubernetes", version, name);
    const sources = await sourcesOf(version);
    const apiserver = helpOf(program("kube-apiserver"));
    const controllers = helpOf(program("kube-controller-manager"));
    return {
        gates: gatesOf(sources, apiserver + controllers, program("kube-apiserver")),
        apis: apisOf(sources),
        plugins: listAfter(apiserver, "Comma-delimited list of admission plugins: "),
        controllers: [
            ...listAfter(controllers, "All controllers: "),
            // Their names before 1.27, which no help lists.
            ...sources
                .filter(({ path }) => path.includes("kube-controller-manager/app/"))
                .flatMap(({ text }) => quotedIn(text, /aliases:\s+\[\]string{([^}]*)}/g)),
        ],
    };
}

function cached(part: "kubernetes" | "etcd", version: string, name: string): string {
    const file = join(cacheDir(), "bin", part, version, name);
    if (existsSync(file)) return file;
    throw new Error(`the cache has no ${name} ${version}: npm run artifacts -- fill --${part} ${version}`);
}

function helpOf(program: string): string {
    const { stdout, stderr } = spawnSync(program, ["--help"], { encoding: "utf8" });
    return stdout || stderr;
}

/** The names of a list in a program's help: `a, b, c.` or the rest of the line. */
function listAfter(help: string, words: string): string[] {
    const [, list = ""] = help.split(words);
    return list
        .split(/[.\n]/)[0]!
        .split(",")
        .map((name) => name.trim());
}

function quotedIn(text: string, pattern: RegExp): string[] {
    return [...text.matchAll(pattern)].flatMap(([, list = ""]) =>
        [...list.matchAll(/"([^"]*)"/g)].map(([, name]) => name!),
    );
}

/** Names in the sources and in help that the program accepts: help lists neither stable nor deprecated ones. */
function gatesOf(sources: readonly Source[], help: string, program: string): string[] {
    const inSources = sources
        .filter(({ path }) => !path.includes("/test/"))
        .flatMap(({ text }) => [
            ...[...text.matchAll(/\bFeature\s*=\s*"(\w+)"/g)].map(([, name]) => name!),
            // One of 1.35 has no type.
            ...[...text.matchAll(/\b(\w+)\s*=\s*"\1"/g)].map(([, name]) => name!),
        ]);
    const inHelp = [...help.matchAll(/kube:(\w+)=true\|false/g)].map(([, name]) => name!);
    return [...new Set([...inSources, ...inHelp])].filter((gate) => {
        // Without other flags it ends with an error in any case.
        const { stderr } = spawnSync(program, [`--feature-gates=${gate}=true`], { encoding: "utf8" });
        return !stderr.includes(`unrecognized feature gate: ${gate}`);
    });
}

/** APIs of requests and reviews: kube-apiserver is their client, or does not let users turn them off. */
const unserved = /^(admission|apidiscovery|imagepolicy)\.k8s\.io\//;

function apisOf(sources: readonly Source[]): string[] {
    const inSources = sources.flatMap(({ path, text }) => {
        const [, version] =
            /\/(?:api@[^/]+\/\w+|apis\/(?:apiextensions|apiregistration))\/(v\d\w*)\/register\.go$/.exec(path) ?? [];
        const [, group] = /\bGroupName = "([^"]*)"/.exec(text) ?? [];
        return version === undefined ? [] : [group ? `${group}/${version}` : version];
    });
    return [...inSources.filter((api) => !unserved.test(api)), "api/all", "api/alpha", "api/beta", "api/ga"];
}

interface Source {
    readonly path: string;
    readonly text: string;
}

/** Go files of Kubernetes and its staging modules that can name a gate, an API or a controller; no tests. */
async function sourcesOf(version: KubernetesVersion): Promise<Source[]> {
    const { folder } = kubernetes(version).go;
    const goMod = readFileSync(join(goFolder(folder), "go.mod"), "utf8");
    const staging = [...goMod.matchAll(/^replace (\S+) => \S+ (\S+)$/gm)]
        .filter(([, path]) => goMod.includes(`\t${path} v`))
        .map(([, path, at]) => `${path}@${at}`);
    const modules = [`k8s.io/kubernetes@v${version}`, ...staging];
    const folders: string[] = [];
    for (const module of modules) folders.push(await moduleSource(goFolder(folder), module));
    return folders.flatMap((at) =>
        (readdirSync(at, { recursive: true }) as string[])
            .filter((path) => path.endsWith(".go") && !path.endsWith("_test.go"))
            .filter((path) => !/^(vendor|staging|third_party|test)\//.test(path))
            .map((path) => join(at, path))
            .filter((path) => /features?\.go$|\/features\/|\/register\.go$|kube-controller-manager\/app\//.test(path))
            .map((path) => ({ path, text: readFileSync(path, "utf8") })),
    );
}
