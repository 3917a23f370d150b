import { cloudControllerPermissions } from "../../../../../../../components/aws/iam/cloud-controller-permissions";
import { type Allowance, policy } from "../../../../../../../components/aws/iam/policy";
import type { Account } from "../../../../../../../simulator/clouds/aws/account";
import type { Answer, Api, Caller, Unsigned } from "../../../../../../../simulator/clouds/services/service";
import { callsOf } from "../../../../../../account-calls";
import { example } from "../example";

/** An account in which the role has the permissions of the cluster's cloud controller, and its requests. */
export function asked(api: Api<Account>, version: string, permissions?: readonly Allowance[]) {
    const { account } = example();
    const scope = { cluster: "c", region: "eu-central-1", vpcId: "vpc-1" };
    const text = policy(permissions ?? cloudControllerPermissions(scope));
    account.put("rolePolicies", "p", { name: "c-cloud-controller", role: "r", policy: text });
    const send = async (Action: string, form: Record<string, string> = {}, isSigned = true): Promise<Answer> => {
        const body = Buffer.from(String(new URLSearchParams({ Action, Version: version, ...form })));
        const request = { method: "POST", host: "", path: "/", query: "", headers: {}, body };
        const caller: Caller | Unsigned = isSigned ? { role: "r", instance: "i-1" } : {};
        return api.answer(account, request, { network: "c", address: "10.9.0.4", caller });
    };
    const ask = async (Action: string, form: Record<string, string> = {}) => {
        const { status, body } = await send(Action, form);
        return { status, text: String(body), code: /<Code>([^<]*)/.exec(String(body))?.[1] };
    };
    return { account, ask, send, calls: () => callsOf(account) };
}

/** Form fields for tags. */
export function tagForm(prefix: string, tags: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
        Object.entries(tags).flatMap(([key, value], index) => [
            [`${prefix}.${index + 1}.Key`, key],
            [`${prefix}.${index + 1}.Value`, value],
        ]),
    );
}
