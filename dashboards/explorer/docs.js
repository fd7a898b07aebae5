// Draws the description of the API with Swagger UI. A server with a token gives the description only to those who know it:
// the token is asked for, kept in this page's memory, and sent with each request that is tried.
"use strict";

const login = document.getElementById("login");
const field = document.getElementById("token");
const problem = document.getElementById("problem");

async function start(token) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const answer = await fetch("openapi.json", { headers });
  const description = await answer.json();
  login.hidden = answer.status !== 401;
  problem.hidden = answer.ok || (answer.status === 401 && !token);
  if (!answer.ok) {
    problem.textContent = token && answer.status === 401 ? "This is not the token." : `${description.detail}: ${description.cure}`;
    field.focus();
    return;
  }
  const explorer = SwaggerUIBundle({
    spec: description,
    dom_id: "#explorer",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => token && explorer.preauthorizeApiKey("HTTPBearer", token),
  });
}

function fail(error) {
  problem.textContent = `The server does not answer (${error.message}). Is 'kalends serve' running?`;
  problem.hidden = false;
}

login.addEventListener("submit", (event) => {
  event.preventDefault();
  start(field.value.trim()).catch(fail);
});
start("").catch(fail);
