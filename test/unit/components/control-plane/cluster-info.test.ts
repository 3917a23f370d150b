import { clusterInfo } from "../../../../components/control-plane/cluster-info";
import { golden } from "../../golden";
import { fakeCredentials, fixedCluster } from "../fixture";

describe("cluster-info", () => {
    it("tells anyone the API's name and CA, and nothing else", () => {
        const cluster = fixedCluster();
        golden(__dirname, "cluster-info", clusterInfo(cluster, fakeCredentials(cluster).kubernetesCa.cert));
    });
});
