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
            /^Error: controllers\.snippets must fit .*outside of the link \/etc\/kubernetes/s,
        );
    });

    it("includes the files that the bootstrap adds to the first controller", () => {
        const cluster = fixedCluster({ controllers: { snippets: [link("/opt/tradewind/bootstrap")] } });
        assert.throws(() => checkConfigs(cluster, downloads), /outside of the link \/opt\/tradewind\/bootstrap/);
    });

    it("names the pool whose snippets do not fit", () => {
        const cluster = fixedCluster({ workerPools: [{ name: "a" }, { name: "b", count: 0, snippets: [clash] }] });
        assert.throws(
            () => checkConfigs(cluster, downloads),
            /^Error: workerPools\[1\]\.snippets must fit .*outside of the link \/etc\/kubernetes/s,
        );
    });
});
