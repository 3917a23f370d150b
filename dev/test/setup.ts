import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensure } from "../../artifacts";
import { pythonItem } from "../../artifacts/python-item";
import { cacheDir } from "../../cache";
import { isRunning } from "../../command-line/is-running";
import { missingArtifacts } from "../../local/artifacts";
import { installPackages, missingTools, preflight } from "../../local/preflight";
import { pulumiCli, sharedPulumiHome } from "../../local/pulumi";
import {
    collectLogs,
    destroyCluster,
    ensureEngine,
    ensureImage,
    list,
    MACHINE_OSES,
    OS_LIKES,
    osesOf,
    runningEngine,
    stopEngine,
} from "../../machines";
import { installPlugins } from "../../simulator/plugins/install";
import { ETCD_VERSIONS, VERSIONS_OF_EVERY_RUN, versions } from "../../versions";

/** The tiers of tests, in order. */
export const TIERS = ["unit", "engine", "cluster"] as const;

export type Tier = (typeof TIERS)[number];

/** The machines that only long tests have, which build their image themselves. */
const ONLY_LONG = "virtual-machine";

/** The environment of a tier's tests. */
export interface Setting {
    /** Environment variables in addition to those of this process. */
    readonly env: NodeJS.ProcessEnv;
    /** Where the machines' logs are saved if a test fails. */
    readonly logs?: string;
    /** Removes what only the tests needed. */
    tearDown?(): Promise<void>;
}

/** Artifacts for tests with a real Pulumi engine and API server. */
const ENGINE_PARTS = [
    "pulumi",
    "etcd",
    "kubernetes",
    "cni-plugins",
    "coredns",
    "node",
    "versitygw",
    "pulumi-generate-sdk",
    "pulumi-language-yaml",
    "pulumi-python",
];

/** Prepares the environment of a tier. */
export async function setUp(tier: Tier, say: (line: string) => void): Promise<Setting> {
    switch (tier) {
        case "unit":
            return { env: {} };
        case "engine":
            return setUpEngine(say);
        case "cluster":
            return setUpCluster(say);
    }
}

async function setUpEngine(say: (line: string) => void): Promise<Setting> {
    const missing = await missingArtifacts(versions);
    const tools = missingTools([...missing.filter(({ group }) => ENGINE_PARTS.includes(group)), pythonItem()]);
    await installPackages(tools, say);
    await ensure({ etcd: ETCD_VERSIONS, only: ENGINE_PARTS, say });
    // Go's garbage collector took a fifth of the tier's time, in hundreds of short Pulumi runs.
    return { env: { GOGC: "400" } };
}

async function setUpCluster(say: (line: string) => void): Promise<Setting> {
    const { kubernetes, etcd } = versions;
    await preflight({ name: "test", kubernetes, etcd, controllers: 1, workers: 2 }, say);
    const wasRunning = (await runningEngine()) !== undefined;
    await ensureEngine();
    const TRADEWIND_STATE = await takeTestState();
    await ensure({ kubernetes: VERSIONS_OF_EVERY_RUN, etcd: ETCD_VERSIONS, say });
    await installPlugins({ pulumiHome: sharedPulumiHome(), pulumi: pulumiCli(), print: say });
    for (const os of MACHINE_OSES) {
        // Built in advance: cloud-init's takes more than a minute.
        say(`machines of ${os}: ${await ensureImage(os)}`);
        for (const like of OS_LIKES.filter((each) => osesOf(each).includes(os) && each !== ONLY_LONG)) {
            say(`and like ${like}: ${await ensureImage(os, like)}`);
        }
    }
    const logs = mkdtempSync(join(tmpdir(), "tradewind-logs-"));
    return {
        env: { TRADEWIND_STATE, TRADEWIND_TEST_LOGS: logs },
        logs,
        tearDown: async () => {
            // Only filled if a test fails.
            await rmdir(logs).catch(() => undefined);
            await removeTestClusters();
            if (!wasRunning) {
                await stopEngine();
            }
        },
    };
}

/** Separate from the user's own clusters, and the same in every run, so that leftovers of a killed run are found. */
function testState(): string {
    return join(cacheDir(), "test-state");
}

function pidFile(): string {
    return join(testState(), ".pid");
}

/** Claims the tests' state folder, without leftovers of earlier runs; resolves to its path. */
async function takeTestState(): Promise<string> {
    const holder = existsSync(pidFile()) ? Number(readFileSync(pidFile(), "utf8")) : 0;
    if (holder && isRunning(holder)) {
        throw new Error(`another run of the cluster tests is in progress (process ${holder}); wait for it to end`);
    }
    await removeTestClusters();
    // The tests would mistake the user's own cluster of that name for theirs.
    const [other] = await list("test");
    if (other) {
        throw new Error(
            "the tests need the name test, but a cluster with that name exists; remove it with npm start -- --name test --destroy",
        );
    }
    mkdirSync(testState(), { recursive: true, mode: 0o700 });
    writeFileSync(pidFile(), `${process.pid}\n`);
    return testState();
}

/** Removes the clusters created by the tests. */
async function removeTestClusters(): Promise<void> {
    for (const cluster of testClusters()) {
        await destroyCluster(cluster);
    }
    rmSync(testState(), { recursive: true, force: true });
}

/** Saves the logs of the machines of the tests' clusters, with a folder for each cluster. */
export async function collectTestLogs(into: string): Promise<void> {
    for (const cluster of testClusters()) {
        await collectLogs(cluster, join(into, cluster));
    }
}

function testClusters(): string[] {
    return existsSync(testState()) ? readdirSync(testState()).filter((name) => !name.startsWith(".")) : [];
}
