import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { resolveCluster } from "../../../../cluster/resolve";
import { adminKubeconfig } from "../../../../components/cluster";
import { deploy, resolved } from "../../deploy";
import { fakeCredentials } from "../in-cluster/fixture";

const cluster = resolveCluster({ name: "c" });
const credentials = fakeCredentials(cluster);

function create(server: pulumi.Input<string>) {
    // Not marked as secret here: the kubeconfig must be secret regardless.
    return deploy(() => adminKubeconfig(cluster, server, pulumi.output(credentials)));
}

describe("the administrator's kubeconfig", () => {
    it("is secret, whatever it was made of", async () => {
        const { result } = await create("https://192.0.2.3:6443");
        assert.equal(await pulumi.isSecret(result), true);
    });

    it("has only the administrator's key, and an address that may be known late", async () => {
        const { result } = await create(pulumi.output("https://192.0.2.3:6443"));
        const text = await resolved(result);
        const { clusters, users, contexts, ...others } = JSON.parse(text);
        const decoded = (base64: string) => Buffer.from(base64, "base64").toString();
        assert.equal(clusters[0].cluster.server, "https://192.0.2.3:6443");
        assert.equal(decoded(clusters[0].cluster["certificate-authority-data"]), credentials.kubernetesCa.cert);
        assert.equal(users[0].name, "c-admin");
        assert.equal(decoded(users[0].user["client-certificate-data"]), credentials.admin.cert);
        assert.equal(decoded(users[0].user["client-key-data"]), credentials.admin.key);
        assert.deepEqual(contexts, [{ name: "c", context: { cluster: "c", user: "c-admin" } }]);
        assert.equal(others["current-context"], "c");
        assert.ok(!text.includes(Buffer.from(credentials.kubernetesCa.key).toString("base64")));
    });

    it("shares no name with that of another cluster, so that kubectl can use both in one KUBECONFIG", async () => {
        const configs = await Promise.all(
            ["c", "d"].map(async (name) => {
                const create = () =>
                    adminKubeconfig(resolveCluster({ name }), "https://192.0.2.3:6443", pulumi.output(credentials));
                return JSON.parse(await resolved((await deploy(create)).result));
            }),
        );
        for (const list of ["clusters", "users", "contexts"]) {
            const names = configs.flatMap((config) => config[list].map((entry: { name: string }) => entry.name));
            assert.equal(new Set(names).size, names.length, `${list}: ${names}`);
        }
    });
});
