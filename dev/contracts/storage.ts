import type { Contract, Rules } from "./contract";

const events = ["list", "watch", "create", "update", "patch"];
const readVerbs = ["get", "list", "watch"];
const leases: Rules = { "coordination.k8s.io/leases": ["get", "watch", "list", "delete", "update", "create"] };
const addedLeases = { "coordination.k8s.io/leases: patch": "As the leader election of client-go may" };

/** Flags of all sidecars that ask the API. */
const shared = [
    ...["csi-address", "kube-api-burst", "kube-api-qps", "leader-election", "leader-election-namespace"],
    ...["retry-interval-max", "timeout"],
];
const sharedDefaults = {
    "--kube-api-qps": "5",
    "--kube-api-burst": "10",
    "--leader-election-namespace": "The pod's own",
    "--retry-interval-max": "5 min",
};
const standardFlags = { repository: "kubernetes-csi/csi-lib-utils", file: "standardflags/flags.go", at: "4814a37b" };
const ebsChart = (file: string, at: string) => ({
    repository: "kubernetes-sigs/aws-ebs-csi-driver",
    file: `charts/aws-ebs-csi-driver/templates/${file}`,
    at,
});

export const csiProvisioner: Contract = {
    image: "csiProvisioner",
    version: "6.0.0",
    sources: [
        standardFlags,
        { repository: "kubernetes-csi/external-provisioner", file: "deploy/kubernetes/rbac.yaml", at: "f7527624" },
        ebsChart("clusterrole-provisioner.yaml", "b1c02265"),
    ],
    flags: [...shared, "default-fstype", "extra-create-metadata", "worker-threads"],
    rules: {
        ...leases,
        persistentvolumes: [...readVerbs, "create", "patch", "delete"],
        persistentvolumeclaims: [...readVerbs, "update"],
        "storage.k8s.io/storageclasses": readVerbs,
        events,
        "snapshot.storage.k8s.io/volumesnapshots": ["get", "list"],
        "snapshot.storage.k8s.io/volumesnapshotcontents": ["get", "list"],
        "storage.k8s.io/csinodes": readVerbs,
        nodes: readVerbs,
        "storage.k8s.io/volumeattachments": readVerbs,
        "storage.k8s.io/volumeattributesclasses": ["get"],
    },
    defaults: { ...sharedDefaults, "--worker-threads": "100" },
    added: addedLeases,
};

export const csiAttacher: Contract = {
    image: "csiAttacher",
    version: "4.10.0",
    sources: [
        { repository: "kubernetes-csi/external-attacher", file: "cmd/csi-attacher/main.go", at: "037abaa4" },
        { repository: "kubernetes-csi/external-attacher", file: "deploy/kubernetes/rbac.yaml", at: "08983ee7" },
        {
            repository: "digitalocean/csi-digitalocean",
            file: "deploy/kubernetes/releases/csi-digitalocean-v4.16.0/driver.yaml",
            at: "v4.16.0",
        },
    ],
    flags: [...shared, "reconcile-sync", "worker-threads"],
    rules: {
        ...leases,
        persistentvolumes: [...readVerbs, "update", "patch"],
        nodes: readVerbs,
        "storage.k8s.io/csinodes": readVerbs,
        "storage.k8s.io/volumeattachments": [...readVerbs, "update", "patch"],
        "storage.k8s.io/volumeattachments/status": ["patch"],
    },
    defaults: { ...sharedDefaults, "--worker-threads": "10" },
    leftOut: {
        "persistentvolumes: update": "It patches since v3",
        "storage.k8s.io/volumeattachments: update": "It patches since v3",
    },
    added: addedLeases,
};

export const csiResizer: Contract = {
    image: "csiResizer",
    version: "2.0.0",
    sources: [
        { repository: "kubernetes-csi/external-resizer", file: "cmd/csi-resizer/main.go", at: "03ee07c2" },
        { repository: "kubernetes-csi/external-resizer", file: "deploy/kubernetes/rbac.yaml", at: "0123a6a6" },
        ebsChart("clusterrole-resizer.yaml", "1b474372"),
    ],
    flags: [...shared, "handle-volume-inuse-error", "workers", "extra-modify-metadata"],
    usualFlags: { "handle-volume-inuse-error": "false" },
    rules: {
        ...leases,
        persistentvolumes: [...readVerbs, "patch"],
        persistentvolumeclaims: readVerbs,
        pods: readVerbs,
        "persistentvolumeclaims/status": ["patch"],
        events,
        "storage.k8s.io/volumeattributesclasses": readVerbs,
    },
    defaults: {
        ...sharedDefaults,
        "--workers": "10",
        "--extra-modify-metadata": "`false`: a changed volume keeps the tags of its creation",
    },
    added: addedLeases,
};

export const csiNodeDriverRegistrar: Contract = {
    image: "csiNodeDriverRegistrar",
    version: "2.15.0",
    sources: [
        {
            repository: "kubernetes-csi/node-driver-registrar",
            file: "cmd/csi-node-driver-registrar/main.go",
            at: "0d8021d2",
        },
    ],
    flags: ["csi-address", "kubelet-registration-path", "plugin-registration-path", "mode", "http-endpoint"],
    defaults: {
        "--plugin-registration-path": "`/registration`, where the kubelet's directory is mounted",
        "--mode":
            "`registration`. It also writes a file for probes, which fails in a read-only container: it only logs that",
        "--http-endpoint": "None",
    },
};

export const csiLivenessProbe: Contract = {
    image: "csiLivenessProbe",
    version: "2.17.0",
    sources: [{ repository: "kubernetes-csi/livenessprobe", file: "cmd/livenessprobe/main.go", at: "07bd11fb" }],
    flags: ["csi-address", "http-endpoint", "health-port", "metrics-address", "probe-timeout"],
    defaults: {
        "--probe-timeout": "1 s: less than the kubelet waits (5 s)",
        "--health-port": "9808, which `--http-endpoint` replaces; both together are refused",
    },
};

const snapshotterVersion = "8.4.0";
const snapshotterSource = (file: string) => ({
    repository: "kubernetes-csi/external-snapshotter",
    file,
    at: `v${snapshotterVersion}`,
});
const snapshotKinds = "snapshot.storage.k8s.io";
const groupKinds = "groupsnapshot.storage.k8s.io";
const noGroups = "Groups of snapshots are off by default, and neither driver has them";

export const csiSnapshotter: Contract = {
    image: "csiSnapshotter",
    version: snapshotterVersion,
    sources: [
        snapshotterSource("cmd/csi-snapshotter/main.go"),
        snapshotterSource("deploy/kubernetes/csi-snapshotter/rbac-csi-snapshotter.yaml"),
    ],
    flags: [...shared, "extra-create-metadata", "snapshot-name-prefix", "worker-threads"],
    rules: {
        ...leases,
        events,
        [`${snapshotKinds}/volumesnapshotclasses`]: readVerbs,
        [`${snapshotKinds}/volumesnapshotcontents`]: [...readVerbs, "update", "patch"],
        [`${snapshotKinds}/volumesnapshotcontents/status`]: ["update", "patch"],
        [`${groupKinds}/volumegroupsnapshotclasses`]: readVerbs,
        [`${groupKinds}/volumegroupsnapshotcontents`]: [...readVerbs, "update", "patch"],
        [`${groupKinds}/volumegroupsnapshotcontents/status`]: ["update", "patch"],
    },
    defaults: { ...sharedDefaults, "--worker-threads": "10", "--snapshot-name-prefix": "`snapshot`" },
    leftOut: {
        [`${groupKinds}/volumegroupsnapshotclasses`]: noGroups,
        [`${groupKinds}/volumegroupsnapshotcontents`]: noGroups,
        [`${groupKinds}/volumegroupsnapshotcontents/status`]: noGroups,
    },
    added: addedLeases,
};

export const snapshotController: Contract = {
    image: "snapshotController",
    version: snapshotterVersion,
    sources: [
        snapshotterSource("cmd/snapshot-controller/main.go"),
        snapshotterSource("deploy/kubernetes/snapshot-controller/rbac-snapshot-controller.yaml"),
        snapshotterSource("client/config/crd"),
    ],
    flags: ["leader-election", "leader-election-namespace", "retry-crd-interval-max", "prevent-volume-mode-conversion"],
    usualFlags: { "leader-election": "true" },
    rules: {
        ...leases,
        persistentvolumes: readVerbs,
        persistentvolumeclaims: [...readVerbs, "update"],
        events,
        [`${snapshotKinds}/volumesnapshotclasses`]: readVerbs,
        [`${snapshotKinds}/volumesnapshotcontents`]: [...readVerbs, "create", "update", "delete", "patch"],
        [`${snapshotKinds}/volumesnapshotcontents/status`]: ["patch"],
        [`${snapshotKinds}/volumesnapshots`]: [...readVerbs, "create", "update", "patch", "delete"],
        [`${snapshotKinds}/volumesnapshots/status`]: ["update", "patch"],
        [`${groupKinds}/volumegroupsnapshotclasses`]: readVerbs,
        [`${groupKinds}/volumegroupsnapshotcontents`]: [...readVerbs, "create", "update", "delete", "patch"],
        [`${groupKinds}/volumegroupsnapshotcontents/status`]: ["patch"],
        [`${groupKinds}/volumegroupsnapshots`]: [...readVerbs, "update", "patch"],
        [`${groupKinds}/volumegroupsnapshots/status`]: ["update", "patch"],
    },
    definitions: "482d2c117abadd94ce17b22ac45d5bcbb6047b2f866838490508678bcd882bf5",
    defaults: {
        "--prevent-volume-mode-conversion": "`true`",
        "--retry-crd-interval-max": "30 s: how long it waits for its kinds before it exits",
    },
    leftOut: {
        [`${snapshotKinds}/volumesnapshots: create`]: "It creates only those of groups",
        [`${snapshotKinds}/volumesnapshots: delete`]: "It deletes only those of groups",
        [`${groupKinds}/volumegroupsnapshotclasses`]: noGroups,
        [`${groupKinds}/volumegroupsnapshotcontents`]: noGroups,
        [`${groupKinds}/volumegroupsnapshotcontents/status`]: noGroups,
        [`${groupKinds}/volumegroupsnapshots`]: noGroups,
        [`${groupKinds}/volumegroupsnapshots/status`]: noGroups,
    },
    added: addedLeases,
};

const ebsVersion = "1.63.1";
const ebsSources = [
    { repository: "kubernetes-sigs/aws-ebs-csi-driver", file: "pkg/driver/options.go", at: "a3199f4b" },
    ebsChart("_node.tpl", "newer than v1.49"),
];
const ebsFlags = ["endpoint", "http-endpoint", "logging-format", "v"];

export const awsCsiController: Contract = {
    image: "awsCsiDriver",
    version: ebsVersion,
    sources: [
        ...ebsSources,
        { repository: "kubernetes-sigs/aws-ebs-csi-driver", file: "docs/example-iam-policy.json", at: "050d130f" },
        {
            repository: "kubernetes-sigs/aws-ebs-csi-driver",
            file: "deploy/kubernetes/base/controller.yaml",
            at: "2cc342fe",
        },
        ebsChart("clusterrole-ebs-plugin.yaml", "424062ea"),
    ],
    flags: [...ebsFlags, "batching", "extra-tags", "k8s-tag-cluster-id", "modify-volume-request-handler-timeout"],
    usualFlags: { batching: "true", "user-agent-extra": "helm" },
    requiredEnv: ["AWS_REGION"],
    optionalEnv: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_EC2_ENDPOINT", "CSI_NODE_NAME"],
    rules: { nodes: ["get"] },
    actions: [
        ...["ec2:DescribeAvailabilityZones", "ec2:DescribeInstances", "ec2:DescribeSnapshots", "ec2:DescribeTags"],
        ...[
            "ec2:DescribeVolumes",
            "ec2:DescribeVolumesModifications",
            "ec2:DescribeVolumeStatus",
            "ec2:CreateSnapshot",
        ],
        ...["ec2:ModifyVolume", "ec2:CopyVolumes", "ec2:AttachVolume", "ec2:DetachVolume", "ec2:CreateVolume"],
        ...[
            "ec2:EnableFastSnapshotRestores",
            "ec2:CreateTags",
            "ec2:DeleteTags",
            "ec2:DeleteVolume",
            "ec2:DeleteSnapshot",
            "ec2:LockSnapshot",
        ],
    ],
    defaults: {
        "--http-endpoint": "None: no metrics",
        "--modify-volume-request-handler-timeout": "2 s, less than the resizer's `--timeout`",
        AWS_ACCESS_KEY_ID: "None: the role of the controller's instance",
    },
    leftOut: {
        "--user-agent-extra": "Names the installer in AWS' statistics",
        "ec2:EnableFastSnapshotRestores": "Costs by the hour and zone; only for classes with that parameter",
        "ec2:LockSnapshot": "Only for classes with a lock",
        "ec2:CopyVolumes": "Volumes cannot be cloned",
        "ec2:DeleteTags": "A VolumeAttributesClass cannot remove tags",
    },
    added: { "ec2:DescribeInstanceTypes": "For the number of volumes that an instance type can attach" },
};

export const awsCsiNode: Contract = {
    image: "awsCsiDriver",
    version: ebsVersion,
    sources: [
        ...ebsSources,
        { repository: "kubernetes-sigs/aws-ebs-csi-driver", file: "cmd/hooks/prestop.go", at: "361df2cb" },
        ebsChart("clusterrole-csi-node.yaml", "691bac15"),
    ],
    flags: [
        ...ebsFlags,
        "csi-mount-point-prefix",
        "volume-attach-limit",
        "reserved-volume-attachments",
        "metadata-sources",
    ],
    usualFlags: { "csi-mount-point-prefix": "/var/lib/kubelet/plugins/kubernetes.io/csi/ebs.csi.aws.com/" },
    requiredEnv: ["CSI_NODE_NAME"],
    optionalEnv: ["DISABLE_TAINT_WATCHER", "AWS_USE_FIPS_ENDPOINT", "OTEL_SERVICE_NAME", "OTEL_EXPORTER_OTLP_ENDPOINT"],
    rules: { nodes: ["get", "patch"] },
    defaults: {
        "--volume-attach-limit": "-1: by instance type",
        "--reserved-volume-attachments": "-1: what is attached when the node plugin starts",
        DISABLE_TAINT_WATCHER: "Not set: it watches for a taint that nothing here sets",
    },
    leftOut: { "nodes: patch": "To remove the taint `ebs.csi.aws.com/agent-not-ready`, which nothing here sets" },
    added: {
        "nodes: list": "To watch for that taint",
        "nodes: watch": "To watch for that taint",
        "storage.k8s.io/csinodes": "It waits until the kubelet knows the driver",
        "storage.k8s.io/volumeattachments":
            "Read by its pre-stop hook, which waits until the volumes of a drained node are detached, but which does not run here",
    },
};

const digitalOceanVersion = "4.16.0";
const digitalOceanSources = [
    {
        repository: "digitalocean/csi-digitalocean",
        file: "deploy/kubernetes/releases/csi-digitalocean-v4.16.0/driver.yaml",
        at: "v4.16.0",
    },
    { repository: "digitalocean/csi-digitalocean", file: "cmd/do-csi-plugin/main.go", at: "newest stored" },
];
const digitalOceanFlags = [
    ...["endpoint", "token", "url", "region", "do-tag", "driver-name", "debug-addr", "default-volumes-page-size"],
    ...["do-api-rate-limit", "validate-attachment"],
];

export const digitalOceanCsiController: Contract = {
    image: "digitalOceanCsiDriver",
    version: digitalOceanVersion,
    sources: digitalOceanSources,
    flags: digitalOceanFlags,
    usualFlags: { token: "...", "default-volumes-page-size": "200" },
    optionalEnv: ["DIGITALOCEAN_ACCESS_TOKEN"],
    scopes: [
        ...["account:read", "block_storage:create", "block_storage:read", "block_storage:delete"],
        ...["block_storage_action:create", "block_storage_action:read", "droplet:read", "tag:create", "tag:read"],
        ...["actions:read", "regions:read", "sizes:read", "image:read"],
        ...["block_storage_snapshot:create", "block_storage_snapshot:read", "block_storage_snapshot:delete"],
        ...["snapshot:read", "snapshot:delete"],
    ],
    never: { "--region": "With it, this version leaves its own region empty, and no volume can be created" },
    defaults: {
        "--url": "`https://api.digitalocean.com/`",
        "--do-api-rate-limit": "None: DigitalOcean's own",
    },
};

export const digitalOceanCsiNode: Contract = {
    image: "digitalOceanCsiDriver",
    version: digitalOceanVersion,
    sources: digitalOceanSources,
    flags: digitalOceanFlags,
    optionalEnv: ["CSI_NODE_NAME"],
    never: { "--region": "Refused without a token", "--token": "It would become a controller plugin" },
    rules: { events: ["get", ...events] },
    defaults: {
        "--url": "`https://api.digitalocean.com/`",
        "--validate-attachment": "`false`",
    },
    leftOut: { events: "Of its registrar, which sends none: the pod has no service account" },
};
