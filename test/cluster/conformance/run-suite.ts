import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensure } from "../../../artifacts";
import { conformance } from "../../../artifacts/conformance-items";
import { type Outcome, runSpecs } from "../../../dev/conformance/ginkgo";
import { cloudNames, type SuiteName, suites } from "../../../dev/conformance/suites";
import type { TestCluster } from "../cluster";

/** Runs some of Kubernetes' end-to-end tests on a cluster with two workers, and prints the progress. */
export async function runSuite(cluster: TestCluster, name: SuiteName, processes = 6): Promise<Outcome> {
    await ensure({ only: [conformance] });
    const folder = mkdtempSync(join(tmpdir(), "tradewind-conformance-"));
    const say = (line: string) => console.log(`      ${line}`);
    try {
        const session = { suite: suites[name], kubeconfig: cluster.kubeconfig, folder, processes, nodes: 2, say };
        const outcome = await runSpecs(session);
        say(`${outcome.passed.length} specs in ${Math.round(outcome.seconds)} s`);
        return outcome;
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/** Defines a test that conformance tests pass on a cloud's machines. */
export function passesConformance(cluster: TestCluster): void {
    it("passes some of Kubernetes' conformance tests, of what lies between its machines", async () => {
        const { passed, failed } = await runSuite(cluster, "cloud");
        assert.deepEqual(failed, []);
        assert.equal(passed.length, cloudNames.length);
    });
}
