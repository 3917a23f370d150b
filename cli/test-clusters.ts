import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../artifacts";
import { collectLogs, destroyCluster, list } from "../machines";

/** Apart from people's own clusters, and the same in every run: what a killed run left is found again. */
function testState(): string {
    return join(cacheDir(), "test-state");
}

function pidFile(): string {
    return join(testState(), ".pid");
}

/** Makes the tests' state folder ours, without what an earlier run left; resolves to its path. */
export async function takeTestState(): Promise<string> {
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
export async function removeTestClusters(): Promise<void> {
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
