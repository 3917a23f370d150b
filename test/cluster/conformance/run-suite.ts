import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { ensure } from "../../../artifacts";
import { conformance } from "../../../artifacts/conformance-items";
import { writePrivate } from "../../../command-line/private-file";
import { type Outcome, runSpecs } from "../../../dev/conformance/ginkgo";
import { cloudNames, type SuiteName, suites } from "../../../dev/conformance/suites";
import { itLong } from "../../takes-long";
import type { TestCluster } from "../cluster";

/** Runs some of Kubernetes' end-to-end tests on a cluster with two workers, and prints the progress. */
export async function runSuite(cluster: TestCluster, name: SuiteName): Promise<Outcome> {
    await ensure({ only: [conformance] });
    const folder = mkdtempSync(join(tmpdir(), "tradewind-conformance-"));
    const say = (line: string) => console.log(`      ${line}`);
    try {
        const kubeconfig = join(folder, "kubeconfig");
        writePrivate(kubeconfig, withoutServerName(readFileSync(cluster.kubeconfig, "utf8")));
        const outcome = await runSpecs({ suite: suites[name], kubeconfig, folder, processes: 6, nodes: 2, say });
        say(`${outcome.passed.length} specs in ${Math.round(outcome.seconds)} s`);
        return outcome;
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/**
 * These tests ignore `tls-server-name`, which the kubeconfig of a simulated cloud needs, as this machine cannot resolve
 * the API's name.
 */
function withoutServerName(kubeconfig: string): string {
    const config = parse(kubeconfig);
    const { cluster } = config.clusters[0];
    if (cluster["tls-server-name"] === undefined) return kubeconfig;
    const { "tls-server-name": _, "certificate-authority-data": __, ...reached } = cluster;
    const trusting = { ...reached, "insecure-skip-tls-verify": true };
    return JSON.stringify({ ...config, clusters: [{ ...config.clusters[0], cluster: trusting }] });
}

/** Defines a test that conformance tests pass on a cloud's machines. */
export function passesConformance(cluster: TestCluster): void {
    itLong("passes some of Kubernetes' conformance tests, of what lies between its machines", async () => {
        const { passed, failed } = await runSuite(cluster, "cloud");
        assert.deepEqual(failed, []);
        assert.equal(passed.length, cloudNames.length);
    });
}
