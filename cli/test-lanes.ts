import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Tier } from "./test-setup";

/** Tests of a tier that run in a mocha of their own, beside those of the tier's other lanes. */
export interface Lane {
    /** Starts each line of its output, when there are others. */
    readonly name: string;
    /** Folders of `test` that hold its files. */
    readonly folders: readonly string[];
    /** Files at a time. */
    readonly jobs: number;
}

// For the two cores that every machine has; many of the tests wait for programs that need one each.
const JOBS = 2;

/**
 * The lanes of a tier. A cluster takes most of its time to wait for its machines; so the tests that share one cluster,
 * each after the other, run beside those that make their own, and those beside clusters on clouds and of several controllers.
 */
export function lanesOf(tier: Tier): readonly Lane[] {
    return tier === "cluster"
        ? [
              { name: "shared", folders: ["cluster/shared-cluster"], jobs: 1 },
              { name: "own", folders: ["cluster/own-clusters"], jobs: 1 },
              { name: "large", folders: ["cluster/scaling", "cluster/clouds"], jobs: 1 },
          ]
        : [{ name: tier, folders: [tier], jobs: JOBS }];
}

/** Mocha's arguments for a lane of a tier of the checkout. */
export function mochaArgs(root: string, tier: Tier, { folders, jobs }: Lane): readonly string[] {
    const hooks = `./test/${tier}/hooks.ts`;
    return [
        ...["--require", "tsx/cjs", ...(existsSync(join(root, hooks)) ? ["--require", hooks] : [])],
        ...["--reporter", "./cli/test-reporter.ts"],
        ...(jobs > 1 ? ["--parallel", "--jobs", String(jobs)] : []),
        ...folders.map((folder) => `test/${folder}/**/*.test.ts`),
    ];
}
