import type { MachineConsole } from "../../agents/bootstrap-sender/delivery";

/** Where the console of a droplet is shown: DigitalOcean's API tells nothing of it. */
export function consoleOfDroplet(id: string): MachineConsole {
    return { byHand: `Access, Recovery Console at https://cloud.digitalocean.com/droplets/${id}` };
}
