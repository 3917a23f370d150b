import type { MachineConsole } from "../../agents/bootstrap-sender/delivery";

/** Where the console of an instance is read, by whoever may (`ec2:GetConsoleOutput`). */
export function consoleOfInstance(region: string, instanceId: string): MachineConsole {
    const command = `aws ec2 get-console-output --region ${region} --instance-id ${instanceId}`;
    return { byHand: `\`${command} --latest --output text\``, ec2: { region, instanceId } };
}
