import { checkInputs } from "../../../simulator/clouds/shared/inputs";
import type { Simulated } from "../../../simulator/clouds/shared/simulated";
import type { Properties } from "../../../simulator/plugins/protocol/serve";

/** Creates what no stack has, as a person does in the cloud's console. Throws what the service refuses. @returns its ID */
export async function createByHand<Account>(
    type: Simulated<Account>,
    account: Account,
    inputs: Properties,
): Promise<string> {
    const [failure] = checkInputs(inputs, type.inputs);
    if (failure) throw new Error(failure.reason);
    return (await type.create(account, inputs)).id;
}
