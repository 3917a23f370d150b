import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { type Controllers, controllersKey } from "../../../../agents/nodes/promoter/record";
import { currentControllers } from "../../../../cli/reach/controllers";
import type { Connection } from "../../../../clients/kubernetes/kubeconfig";
import { resolveCluster } from "../../../../cluster/resolve";
import { certificates } from "../../agents/boot/bootstrap/certificates";

const [first, second, third] = ["c-controller-0", "c-controller-1", "c-controller-2"] as const;
const own = [first, second, third];
const promoted = "c-default-1";

describe("the current controllers", () => {
    const cluster = resolveCluster({
        name: "c",
        controllers: { count: 3, candidates: ["default"] },
        workerPools: [{ name: "default", count: 2 }, { name: "other" }],
    });
    let server: Server | undefined;
    let asked: string[];

    beforeEach(() => {
        asked = [];
    });
    afterEach(() => {
        server?.closeAllConnections();
        server?.close();
        server = undefined;
    });

    /** An API with this record. */
    async function serving(text: string): Promise<Connection> {
        const { cert, key } = certificates().server;
        server = createServer({ cert, key }, ({ url = "" }, answer) => {
            const found = url.endsWith("/namespaces/kube-system/configmaps/controllers");
            answer.writeHead(found ? 200 : 404);
            answer.end(JSON.stringify({ metadata: { name: "controllers" }, data: { [controllersKey]: text } }));
        });
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        const ca = Buffer.from(certificates().ca);
        const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
        return { server: url, ca, cluster: "c", namespace: "", isInsecure: false };
    }

    const recorded = (roles: Record<string, Controllers[string]["role"]>) => {
        const entries = Object.entries(roles).map(([node, role]) => [node, { role, why: "", since: "" }]);
        return JSON.stringify(Object.fromEntries(entries));
    };

    /** Machines with a member of etcd; others are off. */
    const machines = (members: readonly string[], off: readonly string[] = []) => ({
        controller: (name: string) => ({
            name,
            run: async (script: string) => {
                asked.push(name);
                if (off.includes(name)) throw new Error(`${name} is off`);
                return script.includes("/etc/kubernetes/manifests/etcd") && members.includes(name) ? "yes\n" : "";
            },
        }),
    });

    it("are the stack's without candidates, and nothing is asked", async () => {
        const plain = resolveCluster({ name: "c", controllers: { count: 3 } });
        assert.deepEqual(await currentControllers({ access: {}, machines: machines([promoted]) }, plain), own);
        assert.deepEqual(asked, []);
    });

    it("are those of the record: promoted ones too, and no demoted ones", async () => {
        const roles = { [second]: "candidate", [third]: "leaving", [promoted]: "controller" } as const;
        const connection = await serving(recorded(roles));
        const reached = { access: { connection }, machines: machines([]) };
        assert.deepEqual(await currentControllers(reached, cluster), [first, promoted]);
        assert.deepEqual(asked, []);
    });

    it("are the stack's while the record is empty", async () => {
        const connection = await serving("{}");
        assert.deepEqual(await currentControllers({ access: { connection }, machines: machines([]) }, cluster), own);
    });

    it("are, without the API, first those with a member of etcd, then the stack's others", async () => {
        const found = await currentControllers(
            { access: {}, machines: machines([second, promoted], [third, "c-default-0"]) },
            cluster,
        );
        assert.deepEqual(found, [second, promoted, first, third]);
    });

    it("are found on the machines if the record cannot be read", async () => {
        const connection = await serving("{");
        const reached = { access: { connection }, machines: machines([...own, promoted]) };
        assert.deepEqual(await currentControllers(reached, cluster), [...own, promoted]);
    });
});
