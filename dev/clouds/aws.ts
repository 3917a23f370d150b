import { awsCloudController, awsCsiDriver } from "../../cluster/manifests/addons/aws";
import { autoscalerFlags, clusterAutoscaler } from "../../cluster/manifests/addons/cluster-autoscaler";
import { nodeCleaner } from "../../cluster/manifests/nodes/node-cleaner";
import { servingApprover } from "../../cluster/manifests/nodes/serving-approver";
import type { Contract } from "../contracts/contract";
import * as controllers from "../contracts/controllers";
import { csiController, csiNode } from "../contracts/csi-pods";
import { awsCsiController, awsCsiNode, csiAttacher, snapshotController } from "../contracts/storage";
import { instancePermissions } from "../reference/instance-permissions";
import { markdownTable } from "../reference/markdown-table";
import { awsOperator, awsOperatorAlways, operatorTable } from "../reference/operator-permissions";
import type { DocumentedCloud } from "./facts";

const region = { region: "region" };

const frequentAttacher: Contract = {
    ...csiAttacher,
    defaults: { ...csiAttacher.defaults, "--reconcile-sync": "1 min, also in AWS' own manifest" },
};

const instances = `Generated from the policies that the stack attaches to the instances' roles. AWS grants roles to machines, not pods, so anyone who can run a
pod in the host network of a controller has the controller's permissions. _With_ is the option that adds them. The cluster's tag is
\`kubernetes.io/cluster/<cluster>: owned\`; resources created by the stack also have \`tradewind.dev/cluster\`. DigitalOcean droplets have no identity.
`;

const ofOperator = `Permissions of the credentials for \`pulumi up\`, by resource or function of \`@pulumi/aws\`: to create, read, update and delete it. A stack
uses only some of them, which \`pulumi preview\` lists. A test checks that no resource is missing; **the calls were taken from AWS' documentation and have not been tested with an account**. If one is denied, the error names it. Destroying a dead
cluster needs [more](cloud-controllers.md#destroy-a-dead-cluster).
`;

export const aws: DocumentedCloud = {
    workloads: {
        "cloud-controller-manager": { "cloud-controller-manager": controllers.awsCloudController },
        "cluster-autoscaler": { "cluster-autoscaler": controllers.clusterAutoscaler },
        "ebs-csi-controller": csiController(awsCsiController, frequentAttacher),
        "ebs-csi-node": csiNode(awsCsiNode),
        "snapshot-controller": { "snapshot-controller": snapshotController },
    },
    manifests: (cluster) => [
        ...nodeCleaner(cluster, { namePattern: "", ...region }, ""),
        ...servingApprover(cluster, "", { ec2: "", namePattern: "", groups: [], ...region }),
        ...awsCloudController(cluster, region),
        ...awsCsiDriver(cluster, { ...region, volumeSnapshots: true }),
        ...clusterAutoscaler(cluster, { ...region, autoscalerFlags: autoscalerFlags({}, "") }),
    ],
    operator: awsOperator,
    permissions: [
        "### Instances on AWS\n",
        instances,
        `${markdownTable(["Who", "With", "May", "On", "If"], instancePermissions())}\n`,
        "### User of Pulumi on AWS\n",
        ofOperator,
        operatorTable("Calls", { "all resources": awsOperatorAlways, ...awsOperator }),
    ],
};
