import assert from "node:assert/strict";
import type { Manifest } from "../../../../cluster/manifest";
import { podRights } from "../../../../dev/reference/pod-rights";

const pod = (spec: object): Manifest => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });

describe("what pods have of their nodes", () => {
    for (const [what, spec, row] of [
        [
            "its user, and that it may nothing beside",
            { containers: [{ securityContext: { runAsUser: 65534, capabilities: { drop: ["ALL"] } } }] },
            ["`p`", "nobody, no capabilities", "nothing", "none"],
        ],
        [
            "whatever its containers may, once",
            {
                hostNetwork: true,
                hostPID: true,
                securityContext: { runAsUser: 0 },
                initContainers: [{ securityContext: { privileged: true } }],
                containers: [{ securityContext: { capabilities: { add: ["NET_ADMIN"] } } }, {}],
            },
            [
                "`p`",
                "root, **privileged**; root, the runtime's capabilities and `NET_ADMIN`; root, the runtime's capabilities",
                "network, **processes**",
                "writes **all**",
            ],
        ],
        [
            "files of the node, by whether it may write them",
            {
                containers: [
                    { volumeMounts: [{ name: "a" }, { name: "b", readOnly: true }, { name: "c", readOnly: true }] },
                    { volumeMounts: [{ name: "c" }] },
                ],
                volumes: [
                    { name: "a", hostPath: { path: "/a" } },
                    { name: "b", hostPath: { path: "/b" } },
                    { name: "c", hostPath: { path: "/c" } },
                    { name: "d", emptyDir: {} },
                ],
            },
            ["`p`", "the image's user, the runtime's capabilities", "nothing", "writes `/a`, `/c`; reads `/b`"],
        ],
    ] as const) {
        it(`are ${what}`, () => assert.deepEqual(podRights([pod(spec)]), [row]));
    }
});
