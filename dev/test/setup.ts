import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheDir, ETCD_VERSIONS, ensure, KUBERNETES_VERSIONS, NEWEST_PATCHES, versions } from "../../artifacts";
import { pythonItem } from "../../artifacts/python-item";
import { installPackages, missingArtifacts, missingTools, preflight } from "../../local/preflight";
import { pulumiCli, sharedPulumiHome } from "../../local/pulumi";
import {
    collectLogs,
    destroyCluster,
    ensureEngine,
    ensureImage,
    list,
    MACHINE_OSES,
    OS_LIKES,
    runningEngine,
    stopEngine,
} from "../../machines";
import { installPlugins } from "../../simulator/plugins/install";

/** The tiers of tests, in the order in which they run. */
export const TIERS = ["unit", "engine", "cluster"] as const;

export type Tier = (typeof TIERS)[number];

/** What a tier's tests run in. */
export interface Setting {
    /** Of the tests, beside this process's. */
    readonly env: NodeJS.ProcessEnv;
    /** Where the machines' logs go when a test fails. */
    readonly logs?: string;
    /** Takes away what only the tests needed. */
    tearDown?(): Promise<void>;
}

/** What the tests against a real engine and a real API server run. */
const ENGINE_PARTS = [
    "pulumi",
    "etcd",
    "kubernetes",
    "cni-plugins",
    "versitygw",
    "pulumi-generate-sdk",
    "pulumi-language-yaml",
    "pulumi-python",
];

/** Gets what a tier's tests run on. */
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
    const missing = await missingArtifacts(versions.kubernetes);
    const tools = missingTools([...missing.filter(({ group }) => ENGINE_PARTS.includes(group)), pythonItem()]);
    await installPackages(tools, say);
    await ensure({ etcd: ETCD_VERSIONS, only: ENGINE_PARTS, say });
    // A fifth of the tier's time was Go's collector in hundreds of short runs of Pulumi.
    return { env: { GOGC: "400" } };
}

async function setUpCluster(say: (line: string) => void): Promise<Setting> {
    await preflight({ name: "test", kubernetes: versions.kubernetes, controllers: 1, workers: 2 }, say);
    const wasRunning = (await runningEngine()) !== undefined;
    await ensureEngine();
    const TRADEWIND_STATE = await takeTestState();
    // An older patch takes minutes to build, for a test that takes long alone.
    const kubernetes = process.env.TRADEWIND_LONG_TESTS === "1" ? KUBERNETES_VERSIONS : NEWEST_PATCHES;
    await ensure({ kubernetes, etcd: ETCD_VERSIONS, say });
    await installPlugins({ pulumiHome: sharedPulumiHome(), pulumi: pulumiCli(), print: say });
    for (const os of MACHINE_OSES) {
        // No test is to wait for it: cloud-init's takes a minute and more.
        say(`machines of ${os}: ${await ensureImage(os)}`);
        for (const like of OS_LIKES) say(`and like ${like}: ${await ensureImage(os, like)}`);
    }
    const logs = mkdtempSync(join(tmpdir(), "tradewind-logs-"));
    return {
        env: { TRADEWIND_STATE, TRADEWIND_TEST_LOGS: logs },
        logs,
        tearDown: async () => {
            // Nothing is in it unless a test failed.
            await rmdir(logs).catch(() => undefined);
            await removeTestClusters();
            if (!wasRunning) {
                await stopEngine();
            }
        },
    };
}

/** Apart from people's own clusters, and the same in every run: what a killed run left is found again. */
function testState(): string {
    return join(cacheDir(), "test-state");
}

function pidFile(): string {
    return join(testState(), ".pid");
}

/** Makes the tests' state folder ours, without what an earlier run left; resolves to its path. */
async function takeTestState(): Promise<string> {
    const holder = existsSync(pidFile()) ? Number(readFileSync(pidFile(), "utf8")) : 0;
    if (holder && isAlive(holder)) {
        throw new Error(`another run of the cluster tests is at work (process ${holder}): wait for it`);
    }
    await removeTestClusters();
    // By the same name, the tests would take a person's own cluster for theirs.
    const [other] = await list("test");
    if (other) {
        throw new Error("a cluster named test is in the way of the tests: npm start -- --name test --destroy");
    }
    mkdirSync(testState(), { recursive: true, mode: 0o700 });
    writeFileSync(pidFile(), `${process.pid}\n`);
    return testState();
}

/** Removes the clusters that the tests made. */
async function removeTestClusters(): Promise<void> {
    for (const cluster of testClusters()) {
        await destroyCluster(cluster);
    }
    rmSync(testState(), { recursive: true, force: true });
}

/** Saves what the machines of the tests' clusters have to tell, a folder for each cluster. */
export async function collectTestLogs(into: string): Promise<void> {
    for (const cluster of testClusters()) {
        await collectLogs(cluster, join(into, cluster));
    }
}

function testClusters(): string[] {
    return existsSync(testState()) ? readdirSync(testState()).filter((name) => !name.startsWith(".")) : [];
}

function isAlive(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
}
