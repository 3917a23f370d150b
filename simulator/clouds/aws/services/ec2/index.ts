import { ec2Dialect, queryApi } from "../query/protocol";
import { consoleActions, instanceActions, launchActions } from "./instances";
import { networkActions } from "./networks";
import { securityGroupActions } from "./security-groups";
import { snapshotActions } from "./snapshots";
import { volumeAttachments } from "./volume-attachments";
import { volumeChanges } from "./volume-changes";
import { volumeReads } from "./volumes";

/**
 * EC2, as far as cloud controllers, cluster-autoscaler, the volume driver and a clean-up use it. Source: its API
 * reference of version 2016-11-15.
 */
export const ec2 = queryApi(/^ec2\.([a-z0-9-]+\.)?amazonaws\.com$/, [
    {
        version: "2016-11-15",
        dialect: ec2Dialect,
        actions: {
            ...consoleActions,
            ...instanceActions,
            ...launchActions,
            ...networkActions,
            ...securityGroupActions,
            ...volumeReads,
            ...volumeChanges,
            ...volumeAttachments,
            ...snapshotActions,
        },
    },
]);
