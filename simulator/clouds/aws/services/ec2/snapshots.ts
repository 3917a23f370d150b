import { copyDisk, destroyDisk } from "../../../../../machines";
import { type Account, accountId, nameOf } from "../../account";
import { isDescribed } from "../../eventually";
import { type Snapshot, snapshotState } from "../../snapshots";
import { type Action, type Call, readAction } from "../query/action";
import { textOf, textsOf } from "../query/params";
import { filtered, tagSet, tagValues } from "./filters";
import { onlyThese, refuseWrongTags, tagsFor } from "./requests";
import { named, onVolume } from "./volumes";

/** Seconds between two snapshots of a volume. Source: EC2's error codes. */
const pauseSeconds = 15;

const createSnapshot: Action = {
    needs: (call) => {
        const { account, params } = call;
        const asked = tagsFor(params, "snapshot");
        const on = account.arn("ec2", "snapshot/*");
        const tagging = { action: "ec2:CreateTags", on, asked, context: { "ec2:CreateAction": "CreateSnapshot" } };
        return [
            ...onVolume("ec2:CreateSnapshot")(call),
            { action: "ec2:CreateSnapshot", on, asked },
            ...(Object.keys(asked).length > 0 ? [tagging] : []),
        ];
    },
    check: ({ account, params }) => {
        onlyThese(params, ["VolumeId", "Description", "TagSpecification"]);
        refuseWrongTags(tagsFor(params, "snapshot"));
        const others = all(account).filter(([, { volume }]) => volume === params.VolumeId);
        if (others.some(([, { started }]) => Date.now() - Date.parse(started) < pauseSeconds * 1000)) {
            throw new Error(
                `SnapshotCreationPerVolumeRateExceeded: The rate limit for creating concurrent snapshots of an EBS volume has been exceeded. Wait at least ${pauseSeconds} seconds between concurrent snapshots for this volume.`,
            );
        }
    },
    run: async ({ account, params, role }) => {
        const volume = textOf(params, "VolumeId");
        const { size, isEncrypted = true, network } = named(account, [volume])[volume]!;
        const id = account.newId("snap");
        const tags = tagsFor(params, "snapshot");
        const snapshot = {
            ...{ name: nameOf(tags, id), volume, size, isEncrypted, tags, createdBy: role },
            started: new Date().toISOString(),
            ...(typeof params.Description === "string" && { description: params.Description }),
            // A volume that was never attached has no data yet.
            ...(network !== undefined && { network }),
        };
        if (network !== undefined) await copyDisk({ cluster: network, name: volume, to: id });
        account.put("snapshots", id, snapshot);
        account.appear(id);
        return snapshotSaid(id, snapshot);
    },
};

function all({ resources: { snapshots = {} } }: Account): [string, Snapshot][] {
    return Object.entries(snapshots);
}

/** A snapshot; throws EC2's error if it does not exist. */
export function snapshotOf({ resources: { snapshots = {} } }: Account, id: string): Snapshot {
    const found = snapshots[id];
    if (!found) throw new Error(`InvalidSnapshot.NotFound: The snapshot '${id}' does not exist.`);
    return found;
}

/** The permissions that a call needs on a snapshot, whose tags decide. */
export function onSnapshot({ account }: Call, action: string, id: string) {
    return { action, on: account.arn("ec2", `snapshot/${id}`), tags: snapshotOf(account, id).tags };
}

const describeSnapshots = readAction("ec2:DescribeSnapshots", ({ account, params }) => {
    const ids = textsOf(params, "SnapshotId");
    const known = all(account).filter(([id]) => isDescribed(account, id));
    const unknown = ids.find((id) => !known.some(([each]) => each === id));
    if (unknown !== undefined) throw new Error(`InvalidSnapshot.NotFound: The snapshot '${unknown}' does not exist.`);
    const asked = known.filter(([id]) => ids.length === 0 || ids.includes(id));
    const found = filtered(params, asked, ([id, each]) => ({
        "snapshot-id": id,
        "volume-id": each.volume,
        status: snapshotState(each),
        ...tagValues(each.tags),
    }));
    if (found.length > Number(params.MaxResults ?? 1000)) throw new Error("InvalidParameter: Pages are not simulated");
    return { snapshotSet: found.map(([id, each]) => snapshotSaid(id, each)) };
});

function snapshotSaid(snapshotId: string, snapshot: Snapshot) {
    const { volume, size, isEncrypted, started, description = "", tags } = snapshot;
    const state = snapshotState(snapshot);
    return {
        snapshotId,
        volumeId: volume,
        status: state,
        progress: state === "completed" ? "100%" : "0%",
        startTime: started,
        ownerId: accountId,
        volumeSize: size,
        description,
        encrypted: isEncrypted,
        tagSet: tagSet(tags),
    };
}

const deleteSnapshot: Action = {
    needs: (call) => [onSnapshot(call, "ec2:DeleteSnapshot", textOf(call.params, "SnapshotId"))],
    check: ({ params }) => onlyThese(params, ["SnapshotId"]),
    run: async ({ account, params }) => {
        const id = textOf(params, "SnapshotId");
        const { network } = snapshotOf(account, id);
        if (network !== undefined) await destroyDisk({ cluster: network, name: id });
        account.remove("snapshots", id);
        return { return: true };
    },
};

/** Snapshots of volumes, as the volume driver takes them. */
export const snapshotActions: Readonly<Record<string, Action>> = {
    CreateSnapshot: createSnapshot,
    DescribeSnapshots: describeSnapshots,
    DeleteSnapshot: deleteSnapshot,
};
