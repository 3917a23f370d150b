import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Tier } from "./test-setup";

/** Tests of a tier that run in a mocha of their own, beside those of the tier's other lanes. */
export interface Lane {
    /** Starts each line of its output, when there are others. */
    readonly name: string;
    /** Glob of its test files. */
    readonly files: string;
    /** Files at a time. */
    readonly jobs: number;
}

// For the two cores that every machine has; many of the tests wait for programs that need one each.
const JOBS = 2;

/**
 * The lanes of a tier. A cluster takes most of its time to wait for its machines; so the tests that share one cluster,
 * each after the other, run beside those that make their own.
 */
export function lanesOf(tier: Tier): readonly Lane[] {
    const lane = (name: string, jobs: number): Lane => ({ name, files: `test/${name}/**/*.test.ts`, jobs });
    return tier === "cluster"
        ? [
              { ...lane("cluster/shared-cluster", 1), name: "shared" },
              { ...lane("cluster/own-clusters", 1), name: "own" },
          ]
        : [lane(tier, JOBS)];
}

/** Mocha's arguments for a lane of a tier of the checkout. */
export function mochaArgs(root: string, tier: Tier, { files, jobs }: Lane): readonly string[] {
    const hooks = `./test/${tier}/hooks.ts`;
    return [
        ...["--require", "tsx/cjs", ...(existsSync(join(root, hooks)) ? ["--require", hooks] : [])],
        ...["--reporter", "./cli/test-reporter.ts"],
        ...(jobs > 1 ? ["--parallel", "--jobs", String(jobs)] : []),
        files,
    ];
}
