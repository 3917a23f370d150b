/** MAC address of a machine in a simulated cloud, derived from its IPv4 address. */
export function macAddress(address: string): string {
    const bytes = address.split(".").map((each) => Number(each).toString(16).padStart(2, "0"));
    return ["02", "42", ...bytes].join(":");
}

/** The nth address of a subnet whose host part is one byte. */
export function hostAddress(subnet: string, host: number): string {
    return subnet.replace(/\.\d+\/\d+$/, `.${host}`);
}
