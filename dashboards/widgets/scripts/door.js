// Sets a cookie, or deletes it after 0 seconds.
export default function ({ data }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.name}=${data.value}; Max-Age=${data.seconds}; Path=/; SameSite=Strict${secure}`;
}
