/** Hands a file to the browser to keep. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Not immediately: some browsers read it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
