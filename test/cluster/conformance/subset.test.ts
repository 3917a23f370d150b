import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensure } from "../../../artifacts";
import { conformance } from "../../../artifacts/conformance-items";
import { runSpecs } from "../../../dev/conformance/ginkgo";
import { subsetNames, suites } from "../../../dev/conformance/suites";
import { describeLong, isLong } from "../../takes-long";
import { shared, sharedCluster } from "../shared";

describe("Kubernetes' conformance tests", function () {
    this.timeout(isLong ? 3_600_000 : 900_000);
    let folder: string;

    before(async () => {
        await sharedCluster();
        await ensure({ only: [conformance] });
        folder = mkdtempSync(join(tmpdir(), "tradewind-conformance-"));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const run = (name: keyof typeof suites) =>
        runSpecs({
            suite: suites[name],
            kubeconfig: shared.kubeconfig,
            folder,
            processes: 6,
            nodes: 2,
            say: (line) => console.log(`      ${line}`),
        });

    it("pass in a subset after the whole control plane was deleted at once", async () => {
        const controlPlane = "k8s-app in (kube-apiserver,kube-controller-manager,kube-scheduler)";
        await shared.kubectl("-n", "kube-system", "delete", "pods", "--wait=false", "-l", controlPlane);
        const { passed, failed, seconds } = await run("subset");
        console.log(`      ${passed.length} specs in ${Math.round(seconds)} s`);
        assert.deepEqual(failed, []);
        const missing = subsetNames().filter((name) => !passed.some((spec) => spec.startsWith(name)));
        assert.deepEqual(missing, []);
    });

    describeLong("of network policies", () => {
        it("pass", async () => {
            const { passed, failed } = await run("netpol");
            assert.deepEqual(failed, []);
            assert.ok(passed.length >= 47, `${passed.length} specs`);
        });
    });
});
