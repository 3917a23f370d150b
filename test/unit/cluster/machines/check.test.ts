import assert from "node:assert/strict";
import { checkConfigs } from "../../../../cluster/machines/check";
import { downloads, fixedCluster } from "../../components/in-cluster/fixture";

/** Valid by itself; a link above files of the generated config. */
const clash = link("/etc/kubernetes");

function link(path: string): string {
    return JSON.stringify({ ignition: { version: "3.5.0" }, storage: { links: [{ path, target: "/data" }] } });
}

describe("the check of whole configs", () => {
    it("passes without snippets", () => checkConfigs(fixedCluster({ workerPools: [{ name: "a" }] }), downloads));

    it("names the controllers' snippets when they do not fit", () => {
        const cluster = fixedCluster({ controllers: { snippets: [clash] } });
        assert.throws(
            () => checkConfigs(cluster, downloads),
            /^Error: controllers\.snippets must fit .*below the link \/etc\/kubernetes/s,
        );
    });

    it("includes the files that the bootstrap adds to the first controller", () => {
        const cluster = fixedCluster({ controllers: { snippets: [link("/opt/tradewind/bootstrap")] } });
        assert.throws(() => checkConfigs(cluster, downloads), /below the link \/opt\/tradewind\/bootstrap/);
    });

    it("refuses what cloud-init cannot have, at preview, where machines boot by it", () => {
        const disks = JSON.stringify({ ignition: { version: "3.4.0" }, kernelArguments: { shouldExist: ["quiet"] } });
        const cluster = fixedCluster({ workerPools: [{ name: "a", snippets: [disks] }] });
        checkConfigs(cluster, downloads);
        checkConfigs(fixedCluster({ workerPools: [{ name: "a" }] }), downloads, "cloud-init");
        assert.throws(() => checkConfigs(cluster, downloads, "cloud-init"), {
            message:
                'workerPools[0].snippets must fit the generated config: kernelArguments conflicts with cloud-init (got {"shouldExist":["quiet"]})',
        });
    });

    it("names the pool whose snippets do not fit", () => {
        const cluster = fixedCluster({ workerPools: [{ name: "a" }, { name: "b", count: 0, snippets: [clash] }] });
        assert.throws(
            () => checkConfigs(cluster, downloads),
            /^Error: workerPools\[1\]\.snippets must fit .*below the link \/etc\/kubernetes/s,
        );
    });
});
