import type { Contract } from "./contract";

/** Flags of `k8s.io/cloud-provider`, which both cloud controllers are built with. */
const sharedFlags = [
    ...["allocate-node-cidrs", "bind-address", "cloud-config", "cloud-provider", "cluster-cidr", "cluster-name"],
    ...["configure-cloud-routes", "controllers", "leader-elect", "profiling", "secure-port"],
    ...[
        "authentication-skip-lookup",
        "concurrent-node-syncs",
        "node-monitor-period",
        "use-service-account-credentials",
    ],
] as const;

const sharedSources = [
    { repository: "kubernetes/cloud-provider", file: "options/options.go", at: "v0.35.4" },
    { repository: "kubernetes/cloud-provider", file: "options/kubecloudshared.go", at: "v0.35.4" },
    { repository: "kubernetes/controller-manager", file: "options/generic.go", at: "v0.35.4" },
    { repository: "kubernetes/apiserver", file: "pkg/server/options/serving.go", at: "v0.35.4" },
] as const;

/** What both leave out of their manifests' rules. */
const legacyRules = {
    serviceaccounts: "Only with `--use-service-account-credentials`",
    persistentvolumes: "For the volumes of in-tree drivers, which Kubernetes no longer has",
    endpoints: "For leader election by Endpoints, which Leases replaced",
    "nodes: create": "Kubelets create Nodes",
    "nodes: deletecollection": "It deletes one Node at a time",
    "services/status: list": "Not a verb of this subresource",
    "services/status: watch": "Not a verb of this subresource",
    "coordination.k8s.io/leases: list": "Its own Lease is known by name",
    "coordination.k8s.io/leases: watch": "Its own Lease is known by name",
};
const addedRules = { "services: get": "It reads a Service again after a conflict" };

/** Managed by its leader and service controllers. */
const sharedRules = {
    "coordination.k8s.io/leases": ["create", "get", "list", "watch", "update"],
    events: ["create", "patch", "update"],
    nodes: ["*"],
    "nodes/status": ["patch"],
    services: ["list", "patch", "update", "watch"],
    "services/status": ["list", "patch", "update", "watch"],
    serviceaccounts: ["create"],
    persistentvolumes: ["get", "list", "update", "watch"],
    endpoints: ["create", "get", "list", "watch", "update"],
};

const sharedDefaults = {
    "--authentication-skip-lookup": "`false`: the ConfigMap `extension-apiserver-authentication` must be readable",
    "--concurrent-node-syncs": "1",
    "--node-monitor-period": "5 s: how often it looks for deleted machines",
    "--use-service-account-credentials": "`false`: one service account for all controllers",
};

export const awsCloudController: Contract = {
    image: "awsCloudController",
    version: "1.35.2",
    sources: [
        ...sharedSources,
        { repository: "kubernetes/cloud-provider-aws", file: "docs/prerequisites.md", at: "2f4b2e2f" },
        { repository: "kubernetes/cloud-provider-aws", file: "pkg/providers/v1/iface/types.go", at: "59c17863" },
        {
            repository: "kubernetes/cloud-provider-aws",
            file: "pkg/providers/v1/aws_loadbalancer_test.go",
            at: "68a20f56",
        },
        {
            repository: "kubernetes/cloud-provider-aws",
            file: "charts/aws-cloud-controller-manager/values.yaml",
            at: "020cda53",
        },
    ],
    flags: sharedFlags,
    rules: { ...sharedRules, "serviceaccounts/token": ["create"] },
    actions: [
        ...[
            "autoscaling:DescribeAutoScalingGroups",
            "autoscaling:DescribeLaunchConfigurations",
            "autoscaling:DescribeTags",
        ],
        ...["ec2:DescribeInstances", "ec2:DescribeRegions", "ec2:DescribeRouteTables", "ec2:DescribeSecurityGroups"],
        ...["ec2:DescribeSubnets", "ec2:DescribeVolumes", "ec2:DescribeAvailabilityZones", "ec2:CreateSecurityGroup"],
        ...[
            "ec2:CreateTags",
            "ec2:CreateVolume",
            "ec2:ModifyInstanceAttribute",
            "ec2:ModifyVolume",
            "ec2:AttachVolume",
        ],
        ...["ec2:AuthorizeSecurityGroupIngress", "ec2:CreateRoute", "ec2:DeleteRoute", "ec2:DeleteSecurityGroup"],
        ...["ec2:DeleteVolume", "ec2:DetachVolume", "ec2:RevokeSecurityGroupIngress", "ec2:DescribeVpcs"],
        ...["ec2:DescribeInstanceTopology", "ec2:DeleteTags", "ec2:DescribeNetworkInterfaces"],
        ...["elasticloadbalancing:AddTags", "elasticloadbalancing:AttachLoadBalancerToSubnets"],
        ...["elasticloadbalancing:ApplySecurityGroupsToLoadBalancer", "elasticloadbalancing:CreateLoadBalancer"],
        ...["elasticloadbalancing:CreateLoadBalancerPolicy", "elasticloadbalancing:CreateLoadBalancerListeners"],
        ...["elasticloadbalancing:ConfigureHealthCheck", "elasticloadbalancing:DeleteLoadBalancer"],
        ...["elasticloadbalancing:DeleteLoadBalancerListeners", "elasticloadbalancing:DescribeLoadBalancers"],
        ...[
            "elasticloadbalancing:DescribeLoadBalancerAttributes",
            "elasticloadbalancing:DetachLoadBalancerFromSubnets",
        ],
        ...[
            "elasticloadbalancing:DeregisterInstancesFromLoadBalancer",
            "elasticloadbalancing:ModifyLoadBalancerAttributes",
        ],
        ...["elasticloadbalancing:RegisterInstancesWithLoadBalancer", "elasticloadbalancing:CreateListener"],
        ...["elasticloadbalancing:SetLoadBalancerPoliciesForBackendServer", "elasticloadbalancing:CreateTargetGroup"],
        ...["elasticloadbalancing:DeleteListener", "elasticloadbalancing:DeleteTargetGroup"],
        ...["elasticloadbalancing:DescribeListeners", "elasticloadbalancing:DescribeLoadBalancerPolicies"],
        ...["elasticloadbalancing:DescribeTargetGroups", "elasticloadbalancing:DescribeTargetHealth"],
        ...["elasticloadbalancing:ModifyListener", "elasticloadbalancing:ModifyTargetGroup"],
        ...["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"],
        ...["elasticloadbalancing:SetLoadBalancerPoliciesOfListener", "iam:CreateServiceLinkedRole", "kms:DescribeKey"],
        // Only in the source: `ensureTargetGroupAttributes`.
        ...["elasticloadbalancing:DescribeTargetGroupAttributes", "elasticloadbalancing:ModifyTargetGroupAttributes"],
    ],
    defaults: sharedDefaults,
    leftOut: {
        ...legacyRules,
        "serviceaccounts/token": "Only with `--use-service-account-credentials`",
        "autoscaling:DescribeAutoScalingGroups": "Of cluster-autoscaler",
        "autoscaling:DescribeLaunchConfigurations": "Of cluster-autoscaler",
        "autoscaling:DescribeTags": "Of cluster-autoscaler",
        "ec2:DescribeRegions": "The region is configured",
        "ec2:DescribeVolumes": "Of the CSI driver",
        "ec2:CreateVolume": "Of the CSI driver",
        "ec2:ModifyVolume": "Of the CSI driver",
        "ec2:AttachVolume": "Of the CSI driver",
        "ec2:DeleteVolume": "Of the CSI driver",
        "ec2:DetachVolume": "Of the CSI driver",
        "kms:DescribeKey": "Of the CSI driver",
        "ec2:ModifyInstanceAttribute": "For routes to pods, which `--configure-cloud-routes=false` turns off",
        "ec2:CreateRoute": "For routes to pods",
        "ec2:DeleteRoute": "For routes to pods",
        "ec2:DescribeVpcs":
            "It is in the interface, but the real program creates load balancers without it (`cluster/clouds/cloud-controller`)",
        "ec2:DescribeNetworkInterfaces": "For nodes of Fargate",
        "ec2:DeleteTags": "For its tagging controller, which does not run",
        "iam:CreateServiceLinkedRole":
            "The stack's own load balancer is created first, and AWS creates the role with it",
    },
    added: addedRules,
};

export const digitalOceanCloudController: Contract = {
    image: "digitalOceanCloudController",
    version: "0.1.68",
    sources: [
        ...sharedSources,
        {
            repository: "digitalocean/digitalocean-cloud-controller-manager",
            file: "releases/digitalocean-cloud-controller-manager/v0.1.68.yml",
            at: "v0.1.68",
        },
        {
            repository: "digitalocean/digitalocean-cloud-controller-manager",
            file: "cloud-controller-manager/do/cloud.go",
            at: "0532ed79",
        },
        {
            repository: "digitalocean/digitalocean-cloud-controller-manager",
            file: "cloud-controller-manager/do/metadata.go",
            at: "1248fa2d",
        },
    ],
    flags: sharedFlags,
    requiredEnv: ["DO_ACCESS_TOKEN", "DO_CLUSTER_VPC_ID"],
    optionalEnv: [
        ...["DEFAULT_LB_TYPE", "DO_CLUSTER_ID", "DO_OVERRIDE_URL", "DEBUG_ADDR", "METRICS_ADDR", "REGION"],
        ...["PUBLIC_ACCESS_FIREWALL_NAME", "PUBLIC_ACCESS_FIREWALL_TAGS", "WORKER_FIREWALL_NAME"],
    ],
    // Its default since v0.1.61, `REGIONAL_NETWORK`, preserves client addresses, which the nodes' firewalls block.
    // Without METRICS_ADDR it tries to serve its metrics on port 80 of the host.
    always: { DEFAULT_LB_TYPE: "REGIONAL", METRICS_ADDR: "127.0.0.1:0" },
    never: {
        REGION: "It then lists all regions by name. Without it, it reads the droplet's metadata",
        PUBLIC_ACCESS_FIREWALL_NAME: "It would manage a firewall that the stack owns",
        WORKER_FIREWALL_NAME: "It would manage a firewall that the stack owns",
    },
    rules: { ...sharedRules, "coordination.k8s.io/leases": [...sharedRules["coordination.k8s.io/leases"], "delete"] },
    scopes: [
        ...["droplet:read", "vpc:read", "regions:read", "load_balancer:create", "load_balancer:read"],
        ...["load_balancer:update", "load_balancer:delete"],
    ],
    defaults: {
        "--concurrent-node-syncs": sharedDefaults["--concurrent-node-syncs"],
        "--node-monitor-period": sharedDefaults["--node-monitor-period"],
        "--authentication-skip-lookup": "`true`: the program sets it",
        DEBUG_ADDR: "`127.0.0.1:12301`: health of its client, on the host",
        DO_CLUSTER_ID: "None: it does not tag load balancers",
    },
    leftOut: { ...legacyRules, "coordination.k8s.io/leases: delete": "It never deletes its Lease" },
    added: addedRules,
};

export const clusterAutoscaler: Contract = {
    image: "clusterAutoscaler",
    version: "1.36.1",
    sources: [
        { repository: "kubernetes/autoscaler", file: "cluster-autoscaler/config/flags/flags.go", at: "01ea19e5" },
        // It marks Nodes by updates only.
        { repository: "kubernetes/autoscaler", file: "cluster-autoscaler/utils/taints/taints.go", at: "0af55ac5" },
        { repository: "kubernetes/autoscaler", file: "cluster-autoscaler/cloudprovider/aws/README.md", at: "062f28a6" },
        {
            repository: "kubernetes/autoscaler",
            file: "cluster-autoscaler/cloudprovider/aws/examples/cluster-autoscaler-autodiscover.yaml",
            at: "046b7e82",
        },
    ],
    flags: [
        ...["address", "cloud-provider", "leader-elect", "node-group-auto-discovery", "balance-similar-node-groups"],
        ...["expander", "max-node-provision-time", "scale-down-delay-after-add", "scale-down-unneeded-time"],
        ...["scale-down-utilization-threshold", "skip-nodes-with-local-storage", "skip-nodes-with-system-pods"],
        ...["namespace", "scan-interval", "scale-down-unready-time", "ok-total-unready-count"],
        ...["max-graceful-termination-sec", "aws-use-static-instance-list"],
    ],
    usualFlags: {
        "cloud-provider": "aws",
        "skip-nodes-with-local-storage": "false",
        expander: "least-waste",
        "node-group-auto-discovery": "asg:tag=...",
    },
    requiredEnv: ["AWS_REGION"],
    rules: {
        events: ["create", "patch"],
        endpoints: ["create", "patch", "get", "update"],
        "pods/eviction": ["create"],
        "pods/status": ["update"],
        nodes: ["watch", "list", "get", "update"],
        namespaces: ["watch", "list", "get"],
        pods: ["watch", "list", "get"],
        services: ["watch", "list", "get"],
        replicationcontrollers: ["watch", "list", "get"],
        persistentvolumeclaims: ["watch", "list", "get"],
        persistentvolumes: ["watch", "list", "get"],
        "policy/poddisruptionbudgets": ["watch", "list"],
        "apps/statefulsets": ["watch", "list", "get"],
        "apps/replicasets": ["watch", "list", "get"],
        "apps/daemonsets": ["watch", "list", "get"],
        "storage.k8s.io/storageclasses": ["watch", "list", "get"],
        "storage.k8s.io/csinodes": ["watch", "list", "get"],
        "storage.k8s.io/csidrivers": ["watch", "list", "get"],
        "storage.k8s.io/csistoragecapacities": ["watch", "list", "get"],
        "batch/jobs": ["get", "list", "watch", "patch"],
        "coordination.k8s.io/leases": ["create", "get", "update"],
        configmaps: ["create", "list", "watch", "delete", "get", "update"],
    },
    actions: [
        ...["autoscaling:DescribeAutoScalingGroups", "autoscaling:DescribeAutoScalingInstances"],
        ...["autoscaling:DescribeLaunchConfigurations", "autoscaling:SetDesiredCapacity"],
        ...["autoscaling:TerminateInstanceInAutoScalingGroup", "autoscaling:DescribeTags", "ec2:DescribeImages"],
        ...["ec2:DescribeInstanceTypes", "ec2:DescribeLaunchTemplateVersions", "eks:DescribeNodegroup"],
        // The README has the name of the SDK's paginator, `...Pages`, which is no action.
        ...["ec2:GetInstanceTypesFromInstanceRequirements"],
    ],
    defaults: {
        "--namespace": "`kube-system`: of its Lease and status",
        "--scan-interval": "10 s",
        "--scale-down-unready-time": "20 min",
        "--ok-total-unready-count": "3: it stops beyond, if these are 45 % of the nodes",
        "--max-graceful-termination-sec": "600: pods of removed nodes have no longer grace period",
        "--aws-use-static-instance-list": "`false`: it reads instance types from EC2",
    },
    leftOut: {
        endpoints: "For leader election by Endpoints, which Leases replaced",
        "batch/jobs: patch": "It only reads Jobs",
        "configmaps: list": "For the expander `priority`, which is not an option",
        "configmaps: watch": "For the expander `priority`",
        "eks:DescribeNodegroup": "There are no node groups of EKS",
    },
    added: {
        "policy/poddisruptionbudgets: get": "With the two other verbs of reading",
        "resource.k8s.io/deviceclasses": "Read by its simulated scheduler",
        "resource.k8s.io/resourceclaims": "Read by its simulated scheduler",
        "resource.k8s.io/resourceslices": "Read by its simulated scheduler",
        "storage.k8s.io/volumeattachments": "Read by its simulated scheduler",
        "autoscaling:DescribeScalingActivities": "It finds out why a group got no machine",
    },
};
