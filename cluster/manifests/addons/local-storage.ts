import { type Manifest, priorities } from "../../manifest";
import type { Cluster, ComponentImages } from "../../model";
import { paths } from "../../paths";
import { immutableConfigMap, inPodNetwork, json, systemNamespace } from "../objects";
import { asRoot, asUser, confined, lastWords, underPressure, unprivilegedId } from "../pod";
import { namespaceRole, serviceAccount } from "../rbac";

const name = "local-path-provisioner";
const labels = { "k8s-app": name };
const folder = "/etc/local-path-provisioner";

/** The default storage class of local clusters: folders on the node of the first pod that uses a volume. */
export function localStorage({ images, network }: Pick<Cluster, "images" | "network">): Manifest[] {
    const settings = immutableConfigMap(name, configOf(images));
    return [
        ...serviceAccount(name, rules),
        ...namespaceRole(name, ownRules),
        settings,
        inPodNetwork({ network }, deployment(images, settings.metadata.name)),
        storageClass,
    ];
}

const storageClass: Manifest = {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {
        name: "local",
        annotations: {
            "storageclass.kubernetes.io/is-default-class": "true",
            // Unlike a host path, such a volume gets the pod's `fsGroup`.
            defaultVolumeType: "local",
        },
    },
    provisioner: "rancher.io/local-path",
    reclaimPolicy: "Delete",
    volumeBindingMode: "WaitForFirstConsumer",
};

/** Creates and removes a volume's folder on its node, for the provisioner, which adds node, volumes and command. */
const helperPod = (images: ComponentImages) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "volume" },
    spec: {
        priorityClassName: priorities.node.name,
        automountServiceAccountToken: false,
        securityContext: asRoot,
        containers: [
            {
                name: "volume",
                image: images.busybox,
                ...lastWords,
                // Files in it have any owner.
                securityContext: { ...confined, capabilities: { drop: ["ALL"], add: ["DAC_OVERRIDE", "FOWNER"] } },
            },
        ],
    },
});

const configOf = (images: ComponentImages) => ({
    "config.json": json({ nodePathMap: [{ node: "DEFAULT_PATH_FOR_NON_LISTED_NODES", paths: [paths.localVolumes] }] }),
    setup: '#!/bin/sh\nset -eu\numask 0\nmkdir -m 0777 -p "$VOL_DIR"\n',
    teardown: '#!/bin/sh\nset -eu\nrm -rf "$VOL_DIR"\n',
    "helperPod.yaml": json(helperPod(images)),
});

// Source: deploy/local-path-storage.yaml of the provisioner.
const looks = ["get", "list", "watch"];
const rules = [
    { apiGroups: [""], resources: ["nodes", "persistentvolumeclaims"], verbs: looks },
    { apiGroups: [""], resources: ["persistentvolumes"], verbs: [...looks, "create", "patch", "update", "delete"] },
    { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
    { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs: looks },
];
const ownRules = [
    { apiGroups: [""], resources: ["pods"], verbs: ["get", "create", "delete"] },
    { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] },
];

function deployment(images: ComponentImages, configMap: string): Manifest {
    const flags = [
        ...["--config", `${folder}/config.json`, "--helper-pod-file", `${folder}/helperPod.yaml`],
        ...["--namespace", systemNamespace, "--configmap-name", configMap, "--service-account-name", name],
    ];
    const spec = {
        serviceAccountName: name,
        priorityClassName: priorities.control.name,
        enableServiceLinks: false,
        // It frees space when claims are deleted.
        tolerations: [
            { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" },
            ...underPressure,
        ],
        securityContext: asUser(unprivilegedId),
        containers: [
            {
                name,
                image: images.localPathProvisioner,
                ...lastWords,
                command: [name, "start", ...flags],
                resources: { requests: { cpu: "5m", memory: "20Mi" } },
                securityContext: confined,
                volumeMounts: [{ name: "config", mountPath: folder, readOnly: true }],
            },
        ],
        volumes: [{ name: "config", configMap: { name: configMap } }],
    };
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace: systemNamespace, labels },
        spec: {
            replicas: 1,
            // Two would create the same volume.
            strategy: { type: "Recreate" },
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec },
        },
    };
}
