import { controllerLabel } from "../../labels";
import { type Manifest, priorities } from "../../manifest";
import type { Cluster, ComponentImages } from "../../model";
import { paths } from "../../paths";
import { admissionPolicy, deployment, immutableConfigMap, inPodNetwork, json, systemNamespace } from "../objects";
import { asRoot, asUser, confined, lastWords, type PodSpec, underPressure, unprivilegedId } from "../pod";
import { namespaceRole, serviceAccount, userOf } from "../rbac";

const name = "local-path-provisioner";
const folder = "/etc/local-path-provisioner";

/** The default storage class of local clusters: folders on the node of the first pod that uses a volume. */
export function localStorage({ images, network }: Pick<Cluster, "images" | "network">): Manifest[] {
    const settings = immutableConfigMap(name, configOf(images));
    return [
        ...serviceAccount(name, rules),
        ...namespaceRole(name, ownRules),
        ...helperPolicy(images, settings.metadata.name),
        settings,
        // Two pods would create the same volume.
        inPodNetwork({ network }, deployment(name, podSpec(images, settings.metadata.name))),
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
                securityContext: { ...confined, capabilities: { drop: ["ALL"], add: helperCapabilities } },
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
const readVerbs = ["get", "list", "watch"];
const rules = [
    { apiGroups: [""], resources: ["nodes", "persistentvolumeclaims"], verbs: readVerbs },
    { apiGroups: [""], resources: ["persistentvolumes"], verbs: [...readVerbs, "create", "patch", "update", "delete"] },
    { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
    { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs: readVerbs },
];
const ownRules = [
    { apiGroups: [""], resources: ["pods"], verbs: ["get", "create", "delete"] },
    { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] },
];

/** A pod in kube-system may do everything: the account's pods are these only. */
function helperPolicy({ busybox }: Pick<ComponentImages, "busybox">, settings: string): Manifest[] {
    const command = (script: string) => `["/bin/sh", "/script/${script}"]`;
    return admissionPolicy("local-path-provisioner.tradewind.dev", {
        failurePolicy: "Fail",
        matchConstraints: {
            resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }],
        },
        matchConditions: [{ name: "its-account", expression: `request.userInfo.username == "${userOf(name)}"` }],
        variables: [
            { name: "spec", expression: "object.spec" },
            { name: "container", expression: "object.spec.containers[0]" },
            { name: "security", expression: "variables.container.securityContext" },
        ],
        validations: [
            {
                expression: [
                    "size(variables.spec.containers) == 1",
                    "size(variables.spec.?initContainers.orValue([])) == 0",
                    ...["hostNetwork", "hostPID", "hostIPC"].map((each) => `!variables.spec.?${each}.orValue(false)`),
                    `variables.spec.serviceAccountName == "${name}"`,
                    "!variables.spec.?automountServiceAccountToken.orValue(true)",
                    `variables.container.image == "${busybox}"`,
                    `variables.container.command in [${command("setup")}, ${command("teardown")}]`,
                    "!has(variables.container.lifecycle)",
                    'variables.container.?env.orValue([]).all(each, each.name.startsWith("VOL_"))',
                    "!variables.security.?privileged.orValue(false)",
                    "variables.security.?allowPrivilegeEscalation == optional.of(false)",
                    `variables.security.?capabilities.?add.orValue([]).all(each, each in ${JSON.stringify(helperCapabilities)})`,
                    `variables.spec.volumes.all(each, ${[
                        `each.?hostPath.?path == optional.of("${paths.localVolumes}/")`,
                        `each.?configMap.?name == optional.of("${settings}")`,
                    ].join(" || ")})`,
                ].join(" && "),
                message: `${name} must create pods of its template only`,
                reason: "Forbidden",
            },
        ],
    });
}

/** Files in it have any owner. */
const helperCapabilities = ["DAC_OVERRIDE", "FOWNER"];

function podSpec(images: ComponentImages, configMap: string): PodSpec {
    const flags = [
        ...["--config", `${folder}/config.json`, "--helper-pod-file", `${folder}/helperPod.yaml`],
        ...["--namespace", systemNamespace, "--configmap-name", configMap, "--service-account-name", name],
    ];
    return {
        serviceAccountName: name,
        priorityClassName: priorities.control.name,
        enableServiceLinks: false,
        // Its token may create pods that get any volume.
        nodeSelector: { [controllerLabel]: "" },
        // It frees space when claims are deleted.
        tolerations: [{ key: controllerLabel, operator: "Exists", effect: "NoSchedule" }, ...underPressure],
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
}
