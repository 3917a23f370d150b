import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TIERS, type Tier } from "./setup";

/** Tests of a tier that run in a mocha of their own, beside those of other lanes. */
export interface Lane {
    /** Starts each line of its output, when there are others. */
    readonly name: string;
    readonly tier: Tier;
    /** Folders of `test` that hold its files, and files, in their order. */
    readonly paths: readonly string[];
    /** Files at a time. */
    readonly jobs: number;
    /** Files of `paths` that begin: what takes longest would else go on alone at the end. @default - none */
    readonly first?: readonly string[];
}

const cluster = (name: string, paths: readonly string[]): Lane => ({
    name,
    tier: "cluster",
    paths: paths.map((path) => `cluster/${path}`),
    jobs: 1,
});

// In the order in which it happens.
const LIFE = ["pivot", "upgrade", "recover", "scale"].map((part) => `life/${part}.test.ts`);

const LONG_ENGINE_TESTS = [
    "etcd-update",
    "etcd-snapshots",
    "cloud-life",
    "node-removal",
    "previews",
    "preview-comment",
].map((name) => `engine/${name}.test.ts`);

/**
 * Lanes run beside each other, a wave after the other. A cluster takes most of its time to wait for its machines; so the
 * tests that share one cluster run beside those that lead another from its pivot to its end, but beside nothing else: with a
 * third lane on two cores requests get lost. What counts no requests comes before.
 */
const WAVES: readonly (readonly Lane[])[] = [
    [
        { name: "unit", tier: "unit", paths: ["unit"], jobs: 2 },
        { name: "engine", tier: "engine", paths: ["engine"], jobs: 4, first: LONG_ENGINE_TESTS },
        cluster("machines", ["machines", "machines-like", "clouds"]),
    ],
    [
        cluster("shared", ["start", "shared-cluster", "destroy", "dual-stack", "cloud-upgrade", "upgrades", "levels"]),
        cluster("life", LIFE),
    ],
];

/** The lanes of some tiers, wave by wave. */
export function wavesOf(tiers: readonly Tier[]): readonly (readonly Lane[])[] {
    const some = WAVES.map((lanes) => lanes.filter(({ tier }) => tiers.includes(tier)));
    return some.filter((lanes) => lanes.length > 0);
}

/** A lane per tier of some files, `test/engine/site.test.ts`. */
export function fileLanes(files: readonly string[]): readonly Lane[] {
    const paths = files.map((file) => file.replace(/^test\//, ""));
    return TIERS.map((tier) => ({
        name: tier,
        tier,
        paths: paths.filter((path) => path.startsWith(`${tier}/`)),
        jobs: 1,
    })).filter((lane) => lane.paths.length > 0);
}

/** Mocha's arguments for a lane of the checkout. */
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

/** Each file by its name: mocha would run one twice that a pattern matches as well. */
function inOrder(root: string, folders: readonly string[], first: readonly string[]): readonly string[] {
    const all = folders.flatMap((folder) =>
        readdirSync(join(root, "test", folder), { recursive: true }).map((file) => `${folder}/${file}`),
    );
    const others = all.filter((file) => file.endsWith(".test.ts") && !first.includes(file)).sort();
    return [...first, ...others].map((file) => `test/${file}`);
}
