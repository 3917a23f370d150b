import assert from "node:assert/strict";
import type { Manifest } from "../../../../cluster/manifest";
import { podPermissions } from "../../../../dev/reference/pod-permissions";

const pod = (spec: object): Manifest => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });

describe("node access of pods", () => {
    for (const [what, spec, row] of [
        [
            "its user, without capabilities",
            { containers: [{ securityContext: { runAsUser: 65534, capabilities: { drop: ["ALL"] } } }] },
            ["`p`", "nobody, no capabilities", "nothing", "none"],
        ],
        [
            "the capabilities of its containers, once each",
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
            "host paths, by whether they are writable",
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
        it(`is listed: ${what}`, () => assert.deepEqual(podPermissions([pod(spec)]), [row]));
    }
});
