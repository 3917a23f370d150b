import assert from "node:assert/strict";
import { diffConfig } from "../../../../../simulator/plugins/kubernetes/diff";
import { UNKNOWN } from "../../../../../simulator/plugins/protocol/serve";

const kubeconfig = (server: string, user = "admin", ca = "one") =>
    JSON.stringify({
        clusters: [{ name: "c", cluster: { server, "certificate-authority-data": ca } }],
        users: [{ name: user, user: {} }],
        contexts: [{ name: "x", context: { cluster: "c", user } }],
        "current-context": "x",
    });

describe("a change of the provider", () => {
    const one = kubeconfig("https://one");
    const cases: [string, object, object, Record<string, boolean>][] = [
        ["of nothing changes nothing", { kubeconfig: one }, { kubeconfig: one }, {}],
        [
            "of a switch updates it",
            { kubeconfig: one },
            { kubeconfig: one, enablePatchForce: "true" },
            { enablePatchForce: false },
        ],
        [
            "of the user updates it",
            { kubeconfig: one },
            { kubeconfig: kubeconfig("https://one", "other") },
            { kubeconfig: false },
        ],
        [
            "of the server replaces it",
            { kubeconfig: one },
            { kubeconfig: kubeconfig("https://two") },
            { kubeconfig: true },
        ],
        [
            "of the CA replaces it",
            { kubeconfig: one },
            { kubeconfig: kubeconfig("https://one", "admin", "two") },
            { kubeconfig: true },
        ],
        ["from the environment's cluster replaces it", {}, { kubeconfig: one }, { kubeconfig: true }],
        [
            "of the folder for manifests replaces it",
            { renderYamlToDirectory: "one" },
            { renderYamlToDirectory: "two" },
            { renderYamlToDirectory: true },
        ],
        ["to an unknown kubeconfig replaces it", { kubeconfig: one }, { kubeconfig: UNKNOWN }, { kubeconfig: true }],
        [
            "of the server updates it while the identifier stays",
            { kubeconfig: one, clusterIdentifier: "c" },
            { kubeconfig: kubeconfig("https://two"), clusterIdentifier: "c" },
            { kubeconfig: false },
        ],
        [
            "of the CA updates it while the identifier stays",
            { kubeconfig: one, clusterIdentifier: "c" },
            { kubeconfig: kubeconfig("https://one", "admin", "two"), clusterIdentifier: "c" },
            { kubeconfig: false },
        ],
        [
            "to an unknown kubeconfig updates it while the identifier stays",
            { kubeconfig: one, clusterIdentifier: "c" },
            { kubeconfig: UNKNOWN, clusterIdentifier: "c" },
            { kubeconfig: false },
        ],
        [
            "of the identifier replaces it",
            { kubeconfig: one, clusterIdentifier: "c" },
            { kubeconfig: one, clusterIdentifier: "d" },
            { clusterIdentifier: true },
        ],
        [
            "to an unknown identifier replaces it",
            { kubeconfig: one, clusterIdentifier: "c" },
            { kubeconfig: one, clusterIdentifier: UNKNOWN },
            { clusterIdentifier: true },
        ],
        [
            "that adds the identifier updates it",
            { kubeconfig: one },
            { kubeconfig: one, clusterIdentifier: "c" },
            { clusterIdentifier: false },
        ],
        [
            "that removes the identifier updates it",
            { kubeconfig: one, clusterIdentifier: "c" },
            { kubeconfig: one },
            { clusterIdentifier: false },
        ],
        [
            "that removes the identifier replaces it with another CA",
            { kubeconfig: one, clusterIdentifier: "c" },
            { kubeconfig: kubeconfig("https://one", "admin", "two") },
            { clusterIdentifier: false, kubeconfig: true },
        ],
    ];
    for (const [title, before, after, expected] of cases) {
        it(title, () => {
            const { changes } = diffConfig({ ...after }, { ...before });
            const replaced = Object.entries(changes).map(([name, { replace }]) => [name, replace]);
            assert.deepEqual(Object.fromEntries(replaced), expected);
        });
    }

    it("to a kubeconfig that cannot be read fails, even while the identifier stays", () => {
        const clusterIdentifier = "c";
        assert.throws(
            () => diffConfig({ kubeconfig: "none", clusterIdentifier }, { kubeconfig: one, clusterIdentifier }),
            /kubeconfig must be its contents or a file/,
        );
    });
});
