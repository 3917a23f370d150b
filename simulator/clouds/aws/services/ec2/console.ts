import { consoleLog } from "../../../../../machines";
import type { Account } from "../../account";
import type { Action } from "../query/action";
import { textOf } from "../query/params";

/** Bytes of a console that EC2 keeps, the last ones. */
const mostBytes = 64 * 1024;

function instanceOf(account: Account, id: string) {
    const found = account.resources.instances[id];
    if (!found) throw new Error(`InvalidInstanceID.NotFound: The instance ID '${id}' does not exist`);
    return found;
}

/** What an instance's machine has shown; always the latest, as of instances of Nitro when they are asked for that. */
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
