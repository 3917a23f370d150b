import assert from "node:assert/strict";
import type { Caller } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import type { PrometheusOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { volumeProblem } from "../../../../components/upgrade/prometheus-volume";

const claims = "/api/v1/namespaces/kube-system/persistentvolumeclaims/prometheus";
const classes = "/apis/storage.k8s.io/v1/storageclasses/fast";
const claim = { spec: { storageClassName: "fast", resources: { requests: { storage: "10Gi" } } } };

async function problem(prometheus: PrometheusOptions | undefined, objects: Readonly<Record<string, object>>) {
    const call = async (path: string) => {
        if (objects[path] === undefined) throw new ApiError(404, `${path} not found`);
        return objects[path];
    };
    return volumeProblem({ call } as Caller, resolveCluster({ name: "c", ...(prometheus && { prometheus }) }));
}

describe("the volume of Prometheus", () => {
    it("may be created, kept and removed", async () => {
        assert.equal(await problem({ storageClass: "fast" }, {}), undefined);
        assert.equal(await problem({ storageClass: "fast" }, { [claims]: claim }), undefined);
        assert.equal(await problem({}, { [claims]: claim }), undefined);
        assert.equal(await problem(undefined, { [claims]: claim }), undefined);
    });

    it("cannot get another class: its claim would be deleted while the pod uses it", async () => {
        assert.equal(
            await problem({ storageClass: "slow" }, { [claims]: claim }),
            "prometheus.storageClass cannot be changed (is fast, got slow): remove prometheus, run `pulumi up`, and set it again, without its samples",
        );
    });

    it("does not shrink, and grows if its class allows that or is unknown", async () => {
        assert.equal(
            await problem({ storageClass: "fast", storageSize: 5 }, { [claims]: claim }),
            "prometheus.storageSize must be 10 or more: volumes do not shrink (got 5)",
        );
        const larger = { storageClass: "fast", storageSize: 20 };
        assert.equal(
            await problem(larger, { [claims]: claim, [classes]: {} }),
            "prometheus.storageSize cannot be changed (is 10, got 20): volumes of the class fast do not grow",
        );
        assert.equal(await problem(larger, { [claims]: claim, [classes]: { allowVolumeExpansion: true } }), undefined);
        assert.equal(await problem(larger, { [claims]: claim }), undefined);
    });
});
