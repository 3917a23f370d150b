import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TIERS, type Tier } from "./setup";

/** Tests of a tier that run in a separate mocha, in parallel with other lanes. */
export interface Lane {
    /** Prefix of its output lines, if there are other lanes. */
    readonly name: string;
    readonly tier: Tier;
    /** Folders and files below `test`, in order. */
    readonly paths: readonly string[];
    /** Number of files in parallel. */
    readonly jobs: number;
    /** Files of `paths` to start with, because they take the longest and would delay the end. @default - none */
    readonly first?: readonly string[];
}

const cluster = (name: string, paths: readonly string[]): Lane => ({
    name,
    tier: "cluster",
    paths: paths.map((path) => `cluster/${path}`),
    jobs: 1,
});

// In chronological order.
const LIFE = ["pivot", "upgrade", "recover", "scale"].map((part) => `life/${part}.test.ts`);

const LONG_ENGINE_TESTS = [
    "package",
    "previews",
    "plugin-inputs",
    "own-workloads",
    "digitalocean-hostile",
    "aws-look-ups",
    "unreachable",
    "cloud-life",
    "aws-machines",
    "etcd-update",
    "etcd-snapshots",
].map((name) => `engine/${name}.test.ts`);

/**
 * Lanes of a wave run in parallel, waves run one at a time. Clusters mostly wait for their machines, so the tests that share a
 * cluster run in parallel with those that follow another one from its pivot to its end, but with nothing else: with a third
 * lane on two cores, requests get lost. Tests that count requests run before.
 */
const WAVES: readonly (readonly Lane[])[] = [
    [
        { name: "unit", tier: "unit", paths: ["unit"], jobs: 2 },
        { name: "engine", tier: "engine", paths: ["engine"], jobs: 4, first: LONG_ENGINE_TESTS },
    ],
    [
        cluster("shared", [
            "start",
            "shared-cluster",
            "conformance",
            "destroy",
            "dual-stack",
            "cloud-upgrade",
            "upgrades",
            "levels",
            "candidates",
            "keys",
            "cni",
            "air-gap",
        ]),
        cluster("others", [...LIFE, "machines", "machines-like", "clouds", "virtual-machines"]),
    ],
];

/** The lanes of some tiers, by wave. */
export function wavesOf(tiers: readonly Tier[]): readonly (readonly Lane[])[] {
    const some = WAVES.map((lanes) => lanes.filter(({ tier }) => tiers.includes(tier)));
    return some.filter((lanes) => lanes.length > 0);
}

/** One lane per tier for some files, such as `test/engine/site.test.ts`. */
export function fileLanes(files: readonly string[]): readonly Lane[] {
    const paths = files.map((file) => file.replace(/^test\//, ""));
    return TIERS.map((tier) => ({
        name: tier,
        tier,
        paths: paths.filter((path) => path.startsWith(`${tier}/`)),
        jobs: 1,
    })).filter((lane) => lane.paths.length > 0);
}

/** Mocha's arguments for a lane. */
export function mochaArgs(root: string, { tier, paths, jobs, first = [] }: Lane): readonly string[] {
    const hooks = `./test/${tier}/hooks.ts`;
    return [
        ...["--require", "tsx/cjs", ...(existsSync(join(root, hooks)) ? ["--require", hooks] : [])],
        ...["--reporter", "./dev/test/reporter.ts"],
        ...(jobs > 1 ? ["--parallel", "--jobs", String(jobs)] : []),
        ...(first.length > 0 ? inOrder(root, paths, first) : paths.map(asSpec)),
    ];
}

const asSpec = (path: string) => (path.endsWith(".ts") ? `test/${path}` : `test/${path}/**/*.test.ts`);

/** Expands files by name, because mocha would run a file twice that also matches a pattern. */
function inOrder(root: string, folders: readonly string[], first: readonly string[]): readonly string[] {
    const all = folders.flatMap((folder) =>
        readdirSync(join(root, "test", folder), { recursive: true }).map((file) => `${folder}/${file}`),
    );
    const others = all.filter((file) => file.endsWith(".test.ts") && !first.includes(file)).sort();
    return [...first, ...others].map((file) => `test/${file}`);
}
