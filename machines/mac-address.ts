/** The MAC address of a machine in a simulated cloud, which tells of it: that of its IPv4 address. */
export function macAddress(address: string): string {
    const bytes = address.split(".").map((each) => Number(each).toString(16).padStart(2, "0"));
    return ["02", "42", ...bytes].join(":");
}
