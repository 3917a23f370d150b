import { flag, matching, oneOf, under, type Values, value, wholeNumber } from "../../command-line/parse";
import { CLUSTER_NAME } from "../../local/options";
import { sshOptions } from "../reach/ssh";
import { snapshotKeysOption } from "../snapshot/decrypt";

/** What still contains the cluster's objects. */
export const SOURCES = ["api", "etcd", "snapshot"] as const;
export type Source = (typeof SOURCES)[number];

export const recoverOptions = {
    from: value(
        "SOURCE",
        "what still has the cluster's objects, as described below: api, etcd or snapshot",
        oneOf(SOURCES),
    ),
    snapshot: value(
        "FILE|NAME",
        "a local file, encrypted or not, or the name of a snapshot",
        matching("a file or the name of a snapshot", /./),
        {
            otherwise: "the newest one in the controller's snapshot directory",
            needs: "--from snapshot",
        },
    ),
    store: flag("take the snapshot from the cluster's store (etcdSnapshots.s3) instead of the controller's directory", {
        needs: "--from snapshot",
    }),
    snapshotKeys: { ...snapshotKeysOption, needs: "--from snapshot" },
    resetOthers: flag(
        "move the outdated etcd data of the other controllers aside, so that they rejoin the restored member",
        { needs: "--from snapshot" },
    ),
    discardData: flag("restore the snapshot although etcd's data is intact: everything written after it is lost", {
        needs: "--from snapshot",
    }),
    controller: value("NAME", "where to run the control plane", undefined, {
        otherwise: "the first controller",
    }),
    candidate: value("NODE", "all controllers are lost for good: this candidate takes their place", undefined, {
        needs: "--from snapshot",
        excludes: ["controller", "resetOthers", "discardData", "hold"],
    }),
    off: value(
        "NODE,...",
        "machines that do not answer, of which you know that they are off and stay off: you deleted them, or switched them off",
        matching("names of nodes, separated by commas", /^[a-z0-9][a-z0-9-]*(,[a-z0-9][a-z0-9-]*)*$/),
        { needs: "--candidate" },
    ),
    hold: flag(
        "run the control plane from checkpoints until --release, while you repair the cluster's own with kubectl or pulumi up",
    ),
    release: flag("let a held recovery continue", {
        excludes: [
            "from",
            "snapshot",
            "store",
            "snapshotKeys",
            "hold",
            "plain",
            "resetOthers",
            "discardData",
            "candidate",
        ],
    }),
    plain: flag(
        "write checkpoints without the stack's extra arguments (components.*), in case one of them is the cause",
    ),
    timeout: value(
        "SECONDS",
        "how long to wait; the controller continues regardless",
        wholeNumber(1, 9_999_999, "a positive number of seconds"),
        { default: 900 },
    ),
    ...under("Cluster:", {
        name: value("NAME", "a local cluster", CLUSTER_NAME, { otherwise: "the only one" }),
        ...sshOptions,
    }),
};

export type RecoverOptions = Values<typeof recoverOptions>;

export const recoverText = {
    name: "tradewind recover",
    about: "Recovers a control plane that is down and does not recover by itself.",
    usage: "--from api|etcd|snapshot [options]\n       tradewind recover --release",
    notes: `Writes checkpoints of the control plane on a controller and runs it from them until the cluster's own control plane serves again. Existing objects are kept; missing parts of the control plane and the add-ons are applied from the stack. If interrupted, run it again to resume.

Sources:
  api       the API answers, but no new pods start
  etcd      the API is down, but etcd still has its data
  snapshot  etcd has lost its data, or has wrong data (--discard-data): restore a snapshot. Everything
            written after the snapshot is lost. The old data is kept next to the new

If all controllers are lost for good, a candidate (controllers.candidates) takes their place with --candidate, from the newest snapshot: in the cluster's store, otherwise on the machines that answer; or pass --snapshot FILE. This is refused while another machine may still run the cluster. Lost machines that return become candidates.
  tradewind recover --from snapshot --candidate prod-default-0 --off prod-controller-0

Exit codes:
  0    the cluster's own control plane serves; with --hold: it runs from checkpoints
  1    recovery failed; the error says why, and the control plane keeps running from checkpoints
  2    invalid command line
  130  interrupted; the controller continues`,
};
