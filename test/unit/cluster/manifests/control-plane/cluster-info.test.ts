import { clusterInfo } from "../../../../../cluster/manifests/control-plane";
import { fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

describe("cluster-info", () => {
    it("publishes the API's name and CA, and nothing else", () => {
        const cluster = fixedCluster();
        golden(__dirname, "cluster-info", clusterInfo(cluster, fakeCredentials(cluster).kubernetesCa.cert));
    });
});
