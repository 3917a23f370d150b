/** An ID as etcd's own tools print it: its JSON has it as a decimal number. */
export function hexId(id: string): string {
    return BigInt(id).toString(16);
}

export function decimalId(hex: string): string {
    return BigInt(`0x${hex}`).toString();
}
