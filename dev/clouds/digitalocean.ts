import { digitalOceanCloudController, digitalOceanCsiDriver } from "../../cluster/manifests/addons/digitalocean";
import type { Contract } from "../contracts/contract";
import * as controllers from "../contracts/controllers";
import { csiController, csiNode } from "../contracts/csi-pods";
import { csiAttacher, digitalOceanCsiController, digitalOceanCsiNode, snapshotController } from "../contracts/storage";
import { digitalOceanOperator, operatorTable } from "../reference/operator-permissions";
import type { DocumentedCloud } from "./facts";

/** DigitalOcean's own manifest looks less often for volumes that were detached by others: each look lists all volumes. */
const rareAttacher: Contract = { ...csiAttacher, usualFlags: { "reconcile-sync": "30m" } };

const ofOperator = `The same for the token of \`pulumi up\`, by resource of \`@pulumi/digitalocean\`; from DigitalOcean's reference of scopes, **also untested**.
`;

export const digitalocean: DocumentedCloud = {
    workloads: {
        "cloud-controller-manager": { "cloud-controller-manager": controllers.digitalOceanCloudController },
        "do-csi-controller": csiController(digitalOceanCsiController, rareAttacher),
        "do-csi-node": csiNode(digitalOceanCsiNode),
        "snapshot-controller": { "snapshot-controller": snapshotController },
    },
    manifests: (cluster) => [
        ...digitalOceanCloudController(cluster),
        ...digitalOceanCsiDriver(cluster, { volumeSnapshots: true }),
    ],
    operator: digitalOceanOperator,
    permissions: [
        "### User of Pulumi on DigitalOcean\n",
        ofOperator,
        operatorTable("Token scopes", digitalOceanOperator),
    ],
};
