import assert from "node:assert/strict";
import { subsetNames } from "../../../dev/conformance/suites";
import { describeLong, isLong, itLong } from "../../takes-long";
import { shared, sharedCluster } from "../shared";
import { runSuite } from "./run-suite";

describe("Kubernetes' conformance tests", function () {
    this.timeout(isLong ? 3_600_000 : 900_000);
    before(async () => {
        await sharedCluster();
    });

    itLong("pass in a subset after the whole control plane was deleted at once", async () => {
        const controlPlane = "k8s-app in (kube-apiserver,kube-controller-manager,kube-scheduler)";
        await shared.kubectl("-n", "kube-system", "delete", "pods", "--wait=false", "-l", controlPlane);
        const { passed, failed } = await runSuite(shared, "subset");
        assert.deepEqual(failed, []);
        const missing = subsetNames().filter((name) => !passed.some((spec) => spec.startsWith(name)));
        assert.deepEqual(missing, []);
    });

    describeLong("of network policies", () => {
        it("pass", async () => {
            const { passed, failed } = await runSuite(shared, "netpol");
            assert.deepEqual(failed, []);
            assert.ok(passed.length >= 47, `${passed.length} specs`);
        });
    });
});
