import assert from "node:assert/strict";
import type { Caller } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import type { UpgradeJobOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { jobProblem } from "../../../../components/upgrade/upgrade-jobs";
import { previewed } from "./illegal/refused";

const job = (more: Partial<UpgradeJobOptions>) => ({
    name: "smoke",
    after: "apiserver",
    image: "registry.example/smoke:v1",
    ...more,
});

function problem(existing: Readonly<Record<string, object>>, ...upgradeJobs: UpgradeJobOptions[]) {
    const call = async (path: string) => {
        if (existing[path] === undefined) throw new ApiError(404, `${path} not found`);
        return existing[path];
    };
    return jobProblem({ call } as Caller, resolveCluster({ name: "c", upgradeJobs }));
}

const tests = "/api/v1/namespaces/tests";

describe("Jobs of an upgrade that Kubernetes would refuse", () => {
    it("are those in a namespace that does not exist, or ends", async () => {
        const first = job({ name: "first" });
        const own = job({ namespace: "tests" });
        assert.equal(await problem({ [tests]: {} }, first, own), undefined);
        assert.equal(
            await problem({}, first, own),
            "upgradeJobs[1].namespace must be an existing namespace (got tests)",
        );
        assert.equal(
            await problem({ [tests]: { status: { phase: "Terminating" } } }, own),
            "upgradeJobs[0].namespace must be an existing namespace (got tests, which is being deleted)",
        );
    });

    it("are those with a service account that does not exist there", async () => {
        const own = job({ namespace: "tests", serviceAccount: "reader" });
        assert.equal(
            await problem({ [tests]: {}, "/api/v1/namespaces/default/serviceaccounts/reader": {} }, own),
            "upgradeJobs[0].serviceAccount must be a service account of the namespace tests (got reader)",
        );
        assert.equal(await problem({ [tests]: {}, [`${tests}/serviceaccounts/reader`]: {} }, own), undefined);
    });

    it("are refused in the preview of an upgrade, and of no other change", async () => {
        const upgradeJobs = [job({ namespace: "tests" })];
        const { refusal } = await previewed({ desired: { upgradeJobs } });
        assert.equal(refusal, "c: upgradeJobs[0].namespace must be an existing namespace (got tests)");
        const same = { kubernetesVersion: "1.36.3" };
        assert.equal((await previewed({ reported: same, desired: { ...same, upgradeJobs } })).refusal, undefined);
        const back = { kubernetesVersion: "1.35.4" };
        assert.equal((await previewed({ reported: same, desired: { ...back, upgradeJobs } })).refusal, undefined);
    });
});
