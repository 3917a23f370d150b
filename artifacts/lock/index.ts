import type { Part } from "../part";
import { containerd, etcd, ignition } from "./machine";
import { cniPlugins, coredns, flannel, flannelCniPlugin } from "./network";
import { versitygw } from "./test";
import { pulumi } from "./tools";

export { kubernetes, pause } from "./kubernetes";
export { node } from "./tools";
export { KUBERNETES_VERSIONS, type KubernetesVersion, versions } from "./versions";

/** Everything fetched or built as a program, small ones first, Kubernetes by itself in {@link kubernetes}. */
export const parts = {
    cniPlugins,
    flannelCniPlugin,
    flannel,
    etcd,
    containerd,
    coredns,
    ignition,
    pulumi,
} as const satisfies Record<string, Part>;

/** What only tests run: no cluster needs it, and only they fetch or build it. */
export const testParts = { versitygw } as const satisfies Record<string, Part>;
