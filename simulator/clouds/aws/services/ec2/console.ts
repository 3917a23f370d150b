import { consoleLog } from "../../../../../machines";
import type { Account } from "../../account";
import type { Action } from "../query/action";
import { textOf } from "../query/params";

/** Bytes of a console that EC2 keeps, from the end. */
const mostBytes = 64 * 1024;

function instanceOf(account: Account, id: string) {
    const found = account.resources.instances[id];
    if (!found) throw new Error(`InvalidInstanceID.NotFound: The instance ID '${id}' does not exist`);
    return found;
}

/** Console output of an instance's machine; always the latest, as for Nitro instances on request. */
const getConsoleOutput: Action = {
    needs: ({ account, params }) => {
        const id = textOf(params, "InstanceId");
        const { tags } = instanceOf(account, id);
        return [{ action: "ec2:GetConsoleOutput", on: account.arn("ec2", `instance/${id}`), tags }];
    },
    run: async ({ account, params }) => {
        const instanceId = textOf(params, "InstanceId");
        const { machine, vpc } = instanceOf(account, instanceId);
        const shown = Buffer.from(await consoleLog(account.find("vpcs", vpc).name, machine));
        const output = shown.subarray(-mostBytes).toString("base64");
        return { instanceId, output, timestamp: new Date().toISOString() };
    },
};

export const consoleActions: Readonly<Record<string, Action>> = { GetConsoleOutput: getConsoleOutput };
