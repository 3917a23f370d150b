import { CONTAINERD_VERSIONS, versions } from "../../versions";
import type { Part } from "../part";
import { awsCsiDriver, csiAttacher, csiProvisioner, csiResizer, csiSnapshotter, csiStandIns } from "./csi";
import { faultyApiserver } from "./faulty";
import { logCollector } from "./logs";
import { containerd, etcd, ignition, runc } from "./machine";
import { metricsServer, prometheus } from "./metrics";
import { cniPlugins, coredns, flannel, flannelCniPlugin, kubeRouter } from "./network";
import { localPathProvisioner } from "./storage";
import {
    awsCloudController,
    butane,
    clusterAutoscaler,
    ecrCredentialProvider,
    kubeBench,
    kwok,
    pulumiGenerateSdk,
    pulumiLanguageYaml,
    versitygw,
} from "./test";
import { pulumi } from "./tools";

export { builder } from "./builder";
export { conformancePackages, e2eFiles, e2eTests } from "./conformance";
export { kubernetes, pause } from "./kubernetes";
export { etcd } from "./machine";
export { ecrCredentialProvider, pulumiPython } from "./test";
export { node } from "./tools";

/** Everything fetched or built as a program, small ones first; Kubernetes is separate, in {@link kubernetes}. */
export const parts = {
    cniPlugins,
    flannelCniPlugin,
    flannel,
    kubeRouter,
    etcd: etcd(versions.etcd),
    runc,
    containerd: containerd(versions.containerd),
    coredns,
    metricsServer,
    logCollector,
    prometheus,
    localPathProvisioner,
    ignition,
    pulumi,
} as const satisfies Record<string, Part>;

/** What only tests run: clusters do not need it, and only tests fetch or build it. */
export const testParts = {
    otherContainerd: containerd(CONTAINERD_VERSIONS[1]),
    versitygw,
    butane,
    pulumiGenerateSdk,
    pulumiLanguageYaml,
    awsCloudController,
    ecrCredentialProvider,
    clusterAutoscaler,
    kwok,
    kubeBench,
    awsCsiDriver,
    csiProvisioner,
    csiAttacher,
    csiResizer,
    csiSnapshotter,
    csiStandIns,
    faultyApiserver,
} as const satisfies Record<string, Part>;
