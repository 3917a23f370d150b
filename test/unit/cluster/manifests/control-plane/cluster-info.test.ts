import assert from "node:assert/strict";
import { clusterInfo, controlPlane } from "../../../../../cluster/manifests/control-plane";
import { fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

describe("cluster-info", () => {
    it("exists with former defaults only", () => {
        const has = (defaults?: number) => {
            const cluster = fixedCluster({ defaults });
            const objects = controlPlane(cluster, fakeCredentials(cluster));
            return objects.some(({ metadata }) => metadata.name === "cluster-info");
        };
        assert.deepEqual([has(), has(2), has(1)], [false, false, true]);
    });

    it("publishes the API's name and CA, and nothing else", () => {
        const cluster = fixedCluster();
        golden(__dirname, "cluster-info", clusterInfo(cluster, fakeCredentials(cluster).kubernetesCa.cert));
    });
});
