import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Tier } from "./test-setup";

/** Tests of a tier that run in a mocha of their own, beside those of the tier's other lanes. */
export interface Lane {
    /** Starts each line of its output, when there are others. */
    readonly name: string;
    /** Folders of `test` that hold its files, and files, in their order. */
    readonly paths: readonly string[];
    /** Files at a time. */
    readonly jobs: number;
}

// Twice the two cores that every machine has: many of the tests wait.
const JOBS = 4;

/** In the order in which it happens, as all below. */
const SHARED = ["start", "shared-cluster", "destroy"];
const LIFE = ["pivot", "upgrade", "recover", "scale"].map((part) => `cluster/life/${part}.test.ts`);

/**
 * The lanes of a tier. A cluster takes most of its time to wait for its machines; so the tests that share one cluster,
 * each after the other, run beside those that make their own. A third lane is too much for two cores: requests get lost.
 */
export function lanesOf(tier: Tier): readonly Lane[] {
    return tier === "cluster"
        ? [
              { name: "shared", paths: ["machines", ...SHARED].map((part) => `cluster/${part}`), jobs: 1 },
              { name: "own", paths: [...LIFE, "cluster/clouds"], jobs: 1 },
          ]
        : [{ name: tier, paths: [tier], jobs: JOBS }];
}

/** Mocha's arguments for a lane of a tier of the checkout. */
export function mochaArgs(root: string, tier: Tier, { paths, jobs }: Lane): readonly string[] {
    const hooks = `./test/${tier}/hooks.ts`;
    return [
        ...["--require", "tsx/cjs", ...(existsSync(join(root, hooks)) ? ["--require", hooks] : [])],
        ...["--reporter", "./cli/test-reporter.ts"],
        ...(jobs > 1 ? ["--parallel", "--jobs", String(jobs)] : []),
        ...paths.map((path) => (path.endsWith(".ts") ? `test/${path}` : `test/${path}/**/*.test.ts`)),
    ];
}
