import assert from "node:assert/strict";
import type { KeysOf } from "../../../cluster/option-keys";
import type { EtcdSnapshotSecrets, NetworkOptions } from "../../../cluster/options";
import type { LocalClusterArgs } from "../../../index";
import type { LocalKeys, Read } from "../../../stacks/options";
import {
    networkKeys,
    programOptions,
    type StackKeys,
    snapshotSecretKeys,
    stackKeys,
} from "../../../stacks/program-options";

describe("the keys of a stack", () => {
    it("are options of its program, except those that are only for the stack", () => {
        const keys = { cloud: "local", updateChannel: "patch", otherKubelets: ["1.36.2"], cni: "none", metrics: false };
        const { network, metrics, ...others } = programOptions({
            ...keys,
            machineCidr: "10.4.0.0/24",
        } as Read<LocalKeys>);
        assert.deepEqual([network, metrics], [{ cni: "none" }, false]);
        assert.deepEqual(others, { machineCidr: "10.4.0.0/24", etcdSnapshots: undefined });
    });

    it("have windows that are valid", () => {
        const updateWindows = ["Sunday 02:00-05:00"];
        assert.throws(
            () => programOptions({ cloud: "local", updateWindows } as Read<LocalKeys>),
            /^Error: updateWindows\[0\] must be "<days> <HH:MM>-<HH:MM>" in UTC, .* \(got Sunday 02:00-05:00\)$/,
        );
    });

    it("do not compile unless they are placed", () => {
        interface New {
            readonly newKey: boolean;
        }
        // @ts-expect-error: newKey is not placed
        networkKeys satisfies KeysOf<keyof (NetworkOptions & New)>;
        // @ts-expect-error: newKey is not placed
        snapshotSecretKeys satisfies KeysOf<keyof (EtcdSnapshotSecrets & New)>;
        // @ts-expect-error: newKey is neither an argument nor only for the stack
        stackKeys satisfies StackKeys<LocalKeys & New, LocalClusterArgs>;
    });
});
