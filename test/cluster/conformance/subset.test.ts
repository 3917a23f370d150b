import assert from "node:assert/strict";
import { subsetNames } from "../../../dev/conformance/suites";
import { describeLong } from "../../takes-long";
import { shared, sharedCluster } from "../shared";
import { runSuite } from "./run-suite";

describeLong("Kubernetes' conformance tests", function () {
    this.timeout(3_600_000);
    before(async () => {
        await sharedCluster();
    });

    it("pass in a subset after the whole control plane was deleted at once", async () => {
        const controlPlane = "k8s-app in (kube-apiserver,kube-controller-manager,kube-scheduler)";
        await shared.kubectl("-n", "kube-system", "delete", "pods", "--wait=false", "-l", controlPlane);
        const { passed, failed } = await runSuite(shared, "subset");
        assert.deepEqual(failed, []);
        const missing = subsetNames().filter((name) => !passed.some((spec) => spec.startsWith(name)));
        assert.deepEqual(missing, []);
    });

    describe("of network policies", () => {
        it("pass", async () => {
            const { passed, failed } = await runSuite(shared, "netpol");
            assert.deepEqual(failed, []);
            assert.ok(passed.length >= 48, `${passed.length} specs`);
        });
    });
});
